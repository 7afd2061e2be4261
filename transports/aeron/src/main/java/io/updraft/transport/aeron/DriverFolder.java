package io.updraft.transport.aeron;

import io.aeron.CommonContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders of the drivers started here: in memory if there is room, named after the process, and removed with the process or
 * soon after. A user who may open a driver's files can read and write the messages of workers. A driver's folder is therefore
 * within another folder that only this user may enter.
 */
final class DriverFolder {

    private static final Logger LOG = LoggerFactory.getLogger(DriverFolder.class);

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 1L << 30;
    private static final long LEAST_BYTES = 128L << 20;
    private static final String PREFIX = "updraft-aeron-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,18})-\\d+");
    private static final String DRIVER = "driver";
    private static final String OWNER_ONLY = "rwx------";
    private static final long DEAD_AFTER_MILLIS = 10_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final AtomicBoolean WARNED = new AtomicBoolean();

    private DriverFolder() {}

    /**
     * {@return the path of a driver's folder, which does not exist yet, in a new folder that only this user may enter; {@link
     * #removeWithParent} removes both}
     */
    static Path create() throws IOException {
        Path base = base();
        Optional<String> objection = objection(base, LEAST_BYTES);
        if (objection.isPresent()) {
            throw new IOException(objection.get());
        }
        while (true) {
            Path parent = base.resolve(PREFIX + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet());
            try {
                return createPrivate(parent).resolve(DRIVER);
            } catch (FileAlreadyExistsException notOurs) {
                // The folder belongs to an earlier process of this number, to a process in another container, or to
                // someone who guessed the name.
                if (isAbandoned(parent)) {
                    remove(parent);
                }
            }
        }
    }

    private static Path createPrivate(Path folder) throws IOException {
        try {
            return Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
        } catch (UnsupportedOperationException notPosix) {
            return Files.createDirectory(folder);
        }
    }

    /**
     * Returns the directory for drivers: {@code /dev/shm}, or the temporary directory if {@code /dev/shm} is small, with a warning.
     * Containers often have only 64 MiB of /dev/shm, and a JVM crashes when it writes to a mapped file without free space.
     */
    static Path base() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Optional<String> objection = objection(SHARED_MEMORY, ENOUGH_BYTES);
        if (objection.isEmpty()) {
            return SHARED_MEMORY;
        }
        if (WARNED.compareAndSet(false, true)) {
            LOG.warn(
                    "aeron: {}; its buffers are in {} instead, which may be slower. In a container, give /dev/shm 1 GiB or more, or"
                            + " choose the transport netty",
                    objection.get(),
                    temporary);
        }
        return temporary;
    }

    /** {@return why a directory cannot have the buffers of a driver; empty if it can} */
    static Optional<String> objection(Path directory, long enough) {
        if (!Files.isWritable(directory)) {
            return Optional.of(directory + " cannot be written");
        }
        long free = directory.toFile().getUsableSpace();
        return free >= enough
                ? Optional.empty()
                : Optional.of(directory + " has only " + (free >> 20) + " MiB free of the " + (enough >> 20)
                        + " MiB that the media driver may need");
    }

    static void removeStale(Path base) {
        try (Stream<Path> folders = Files.list(base)) {
            folders.filter(DriverFolder::isStale).forEach(DriverFolder::remove);
        } catch (IOException | UncheckedIOException unreadable) {
            LOG.debug("aeron: cannot list old folders in {}", base, unreadable);
        }
    }

    /**
     * Whether the folder's process does not exist, and its driver has no heartbeat. A missing process alone does not suffice: a
     * container that shares the folder has other process ids.
     */
    private static boolean isStale(Path parent) {
        OptionalLong process = processNamedBy(parent);
        return process.isPresent() && ProcessHandle.of(process.getAsLong()).isEmpty() && isAbandoned(parent);
    }

    /** {@return the process of a driver, empty if the folder was not created by this class} */
    static OptionalLong process(Path driver) {
        Path parent = driver.getParent();
        return parent == null || !driver.endsWith(DRIVER) ? OptionalLong.empty() : processNamedBy(parent);
    }

    private static OptionalLong processNamedBy(Path parent) {
        Path last = parent.getFileName();
        Matcher name = NAME.matcher(last == null ? "" : last.toString());
        return name.matches() ? OptionalLong.of(Long.parseLong(name.group(1))) : OptionalLong.empty();
    }

    /**
     * Whether a driver has no heartbeat. A driver updates its heartbeat each second; the file's time stamp does not change,
     * because the file is mapped.
     */
    private static boolean isAbandoned(Path parent) {
        Path driver = parent.resolve(DRIVER);
        try {
            return Files.isWritable(parent)
                    && (Files.exists(driver) || isOld(parent))
                    && !CommonContext.isDriverActive(driver.toFile(), DEAD_AFTER_MILLIS, LOG::debug);
        } catch (IOException removedMeanwhile) {
            return false;
        } catch (RuntimeException halfWritten) {
            return true;
        }
    }

    /** Whether the folder is old. The driver of a young folder may not have started yet. */
    private static boolean isOld(Path folder) throws IOException {
        return System.currentTimeMillis() - Files.getLastModifiedTime(folder).toMillis() > DEAD_AFTER_MILLIS;
    }

    static void removeWithParent(Path driver) {
        remove(driver.getParent());
    }

    /** Deletes a folder recursively. Another process may do the same, so a missing file is not an error. */
    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException failed) {
            if (!(failed instanceof NoSuchFileException || failed.getCause() instanceof NoSuchFileException)) {
                LOG.warn("aeron: cannot remove {}: {}", folder, failed.toString());
            }
        }
    }
}
