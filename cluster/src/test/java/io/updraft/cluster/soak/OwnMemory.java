package io.updraft.cluster.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Writes the memory use that only the JVM itself can measure to a file every few seconds, for an observing process. */
record OwnMemory(long heapAfterGc, long direct) {
    private static final long EVERY_SECONDS = 2;
    private static boolean recording;

    /** Collects garbage, and weighs what is left. */
    static OwnMemory now() {
        System.gc();
        // What the collection has left, without the regions that other threads have begun since.
        long heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getCollectionUsage)
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
        long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return new OwnMemory(heap, direct);
    }

    /** Begins to write this process' memory to a file, once. */
    static synchronized void record(Path directory) {
        if (!recording) {
            recording = true;
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(job -> {
                Thread thread = new Thread(job, "soak-memory");
                thread.setDaemon(true);
                return thread;
            });
            timer.scheduleWithFixedDelay(() -> now().write(directory), 0, EVERY_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void write(Path directory) {
        try {
            Path file = file(directory, ProcessHandle.current().pid());
            Path draft = file.resolveSibling(file.getFileName() + ".draft");
            Files.writeString(draft, heapAfterGc + " " + direct);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return what a process wrote last, or null if nothing yet} */
    static OwnMemory of(Path directory, long pid) throws IOException {
        Path file = file(directory, pid);
        if (!Files.exists(file)) {
            return null;
        }
        String[] numbers = Files.readString(file).split(" ");
        return new OwnMemory(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    private static Path file(Path directory, long pid) {
        return directory.resolve("memory-" + pid);
    }
}
