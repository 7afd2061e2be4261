package io.updraft.bench.child;

import io.updraft.bench.spec.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What this process has used so far.
 *
 * @param cpuNanos CPU time of all threads
 * @param gcMillis time spent collecting garbage
 * @param switches context switches per thread, wanted or not; empty where the system does not tell
 */
record ProcessSample(long cpuNanos, long gcMillis, Map<String, Long> switches) {

    private static final Path THREADS = Path.of("/proc/self/task");

    static ProcessSample take() {
        long gcMillis = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
        return new ProcessSample(processCpuTime(), gcMillis, contextSwitches());
    }

    Usage since(ProcessSample earlier) {
        return new Usage(cpuNanos - earlier.cpuNanos, gcMillis - earlier.gcMillis, switchesSince(earlier));
    }

    /** A thread that ended in between is not counted. */
    private long switchesSince(ProcessSample earlier) {
        if (switches.isEmpty()) {
            return -1;
        }
        return switches.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - earlier.switches.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    private static long processCpuTime() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static Map<String, Long> contextSwitches() {
        Map<String, Long> perThread = new HashMap<>();
        if (Files.isDirectory(THREADS)) {
            try (Stream<Path> threads = Files.list(THREADS)) {
                threads.forEach(thread -> perThread.put(thread.getFileName().toString(), contextSwitches(thread)));
            } catch (IOException | UncheckedIOException e) {
                return Map.of();
            }
        }
        return perThread;
    }

    private static long contextSwitches(Path thread) {
        try (Stream<String> lines = Files.lines(thread.resolve("status"))) {
            return lines.filter(line -> line.contains("_ctxt_switches:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0; // the thread has ended
        }
    }
}
