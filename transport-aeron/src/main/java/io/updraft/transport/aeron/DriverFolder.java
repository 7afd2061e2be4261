package io.updraft.transport.aeron;

import io.aeron.CommonContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where drivers of our own keep their files: in memory if there is room, named for the process, gone with it or soon after.
 * Whoever may look into these files reads, and writes, what workers tell each other: so a driver's folder is in another one
 * that is this user's alone.
 */
final class DriverFolder {

    private static final Logger LOG = LoggerFactory.getLogger(DriverFolder.class);

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 1L << 30;
    private static final String PREFIX = "updraft-aeron-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,18})-\\d+");
    private static final String DRIVER = "driver";
    private static final String OWNER_ONLY = "rwx------";
    private static final long DEAD_AFTER_MILLIS = 10_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private DriverFolder() {}

    /**
     * {@return a folder that is not there yet, in a new one that nobody else may look into; {@link #removeWithParent} takes both
     * away}
     */
    static Path create() throws IOException {
        Path base = base();
        while (true) {
            Path parent = base.resolve(PREFIX + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet());
            try {
                return createPrivate(parent).resolve(DRIVER);
            } catch (FileAlreadyExistsException notOurs) {
                // Of a process that had this number before, or of one in another container, or somebody guessed the
                // name.
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
     * A container often has 64 MiB of /dev/shm only, and a JVM that writes to a mapped file for which there is no room dies. So
     * it has to be much, or else it is the disk.
     */
    static Path base() {
        try {
            if (Files.isWritable(SHARED_MEMORY)
                    && Files.getFileStore(SHARED_MEMORY).getUsableSpace() >= ENOUGH_BYTES) {
                return SHARED_MEMORY;
            }
        } catch (IOException unknown) {
            LOG.debug("aeron: the size of {} is unknown", SHARED_MEMORY, unknown);
        }
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Removes what processes have left behind that were killed. */
    static void removeStale(Path base) {
        try (Stream<Path> folders = Files.list(base)) {
            folders.filter(DriverFolder::isStale).forEach(DriverFolder::remove);
        } catch (IOException | UncheckedIOException unreadable) {
            LOG.debug("aeron: cannot look for old folders in {}", base, unreadable);
        }
    }

    /** No such process, and no sign of life either: a container that shares the folder has other process numbers. */
    private static boolean isStale(Path parent) {
        OptionalLong process = processNamedBy(parent);
        return process.isPresent() && ProcessHandle.of(process.getAsLong()).isEmpty() && isAbandoned(parent);
    }

    /** {@return the process of a driver, empty if the folder is none of those that are made here} */
    static OptionalLong process(Path driver) {
        Path parent = driver.getParent();
        return parent == null || !driver.endsWith(DRIVER) ? OptionalLong.empty() : processNamedBy(parent);
    }

    private static OptionalLong processNamedBy(Path parent) {
        Path last = parent.getFileName();
        Matcher name = NAME.matcher(last == null ? "" : last.toString());
        return name.matches() ? OptionalLong.of(Long.parseLong(name.group(1))) : OptionalLong.empty();
    }

    /** The heart of a driver beats each second; the file's time stamp does not tell, since it is mapped. */
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

    /** Of a young one the driver may just be about to start. */
    private static boolean isOld(Path folder) throws IOException {
        return System.currentTimeMillis() - Files.getLastModifiedTime(folder).toMillis() > DEAD_AFTER_MILLIS;
    }

    /** Removes the folder of a driver that has ended, and the one around it. */
    static void removeWithParent(Path driver) {
        remove(driver.getParent());
    }

    private static void remove(Path folder) {
        try {
            Files.walkFileTree(folder, new Remover());
        } catch (IOException inUse) {
            LOG.warn("aeron: cannot remove {}: {}", folder, inUse.toString());
        }
    }

    /** Other processes may be at it, too: what is gone already is no failure. */
    private static final class Remover extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
            if (failure != null && !(failure instanceof NoSuchFileException)) {
                throw failure;
            }
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
