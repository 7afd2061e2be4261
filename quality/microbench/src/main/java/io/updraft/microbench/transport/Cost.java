package io.updraft.microbench.transport;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The resource usage of the process.
 *
 * @param wallNanos elapsed time in nanoseconds
 * @param cpuNanos user and system CPU time of all threads, in nanoseconds
 * @param switches context switches of all threads; 0 if the system does not report them
 */
record Cost(long wallNanos, long cpuNanos, long switches) {

    static final String HEADER =
            "     bytes   messages/s     GB/s   CPU s/GB   CPU ns/message   switches/1000   transport";

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path THREADS = Path.of("/proc/self/task");

    static Cost now() {
        return new Cost(System.nanoTime(), SYSTEM.getProcessCpuTime(), countSwitches());
    }

    Cost until(Cost later) {
        return new Cost(later.wallNanos - wallNanos, later.cpuNanos - cpuNanos, later.switches - switches);
    }

    String line(String title, int length, long messages) {
        double gigabytes = messages * (double) length / 1e9;
        double seconds = wallNanos / 1e9;
        return String.format(
                Locale.ROOT,
                "%10d %12.0f %8.2f %10.3f %16.0f %15.2f   %s",
                length,
                messages / seconds,
                gigabytes / seconds,
                cpuNanos / 1e9 / gigabytes,
                cpuNanos / (double) messages,
                switches * 1000.0 / messages,
                title);
    }

    private static long countSwitches() {
        if (!Files.isDirectory(THREADS)) {
            return 0;
        }
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.flatMap(thread -> lines(thread.resolve("status")).stream())
                    .filter(line -> line.contains("ctxt_switches:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException threadHasEnded) {
            return List.of();
        }
    }
}
