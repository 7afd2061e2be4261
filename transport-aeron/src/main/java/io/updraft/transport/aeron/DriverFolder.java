package io.updraft.transport.aeron;

import io.aeron.CommonContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where drivers of our own keep their files: in memory if there is room, named for the process, gone with it or soon after. */
final class DriverFolder {

    private static final Logger LOG = LoggerFactory.getLogger(DriverFolder.class);

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH_BYTES = 1L << 30;
    private static final String PREFIX = "updraft-aeron-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-\\d+");
    private static final long DEAD_AFTER_MILLIS = 10_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private DriverFolder() {}

    /** {@return a folder that is not there yet} */
    static Path unused() {
        return base().resolve(PREFIX + ProcessHandle.current().pid() + "-" + NUMBERS.incrementAndGet());
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

    /**
     * No such process, and no sign of life either: a container that shares the folder has other process numbers. The heart of a
     * driver beats each second; the file's time stamp does not tell, since it is mapped.
     */
    private static boolean isStale(Path folder) {
        Matcher name = NAME.matcher(folder.getFileName().toString());
        if (!name.matches() || ProcessHandle.of(Long.parseLong(name.group(1))).isPresent()) {
            return false;
        }
        try {
            return !CommonContext.isDriverActive(folder.toFile(), DEAD_AFTER_MILLIS, LOG::debug);
        } catch (RuntimeException halfWritten) {
            return true;
        }
    }

    static void remove(Path folder) {
        try (Stream<Path> tree = Files.walk(folder)) {
            List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException inUse) {
            LOG.warn("aeron: cannot remove {}: {}", folder, inUse.toString());
        }
    }
}
