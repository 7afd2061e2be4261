package io.updraft.bench.child;

import io.updraft.bench.spec.ProcessUsage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The resource usage of processes so far.
 *
 * @param cpuNanos user and system CPU time of all threads, in nanoseconds
 * @param gcMillis garbage collection time in milliseconds
 * @param switches voluntary and involuntary context switches per thread; empty if the system does not report them
 */
record ProcessSample(long cpuNanos, long gcMillis, Map<String, Long> switches) {

    private static final Path PROCESSES = Path.of("/proc");

    static ProcessSample ofThisProcess() {
        ProcessUsage usage = ProcessUsage.ofThisProcess();
        return new ProcessSample(usage.cpuNanos(), usage.gcMillis(), contextSwitches("self"));
    }

    /**
     * Samples other processes. The system reports their CPU time in steps of 10 ms.
     *
     * @param gcMillis their garbage collection time, as they reported it
     */
    static ProcessSample of(List<ProcessHandle> processes, long gcMillis) {
        long cpuNanos = processes.stream()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .mapToLong(Duration::toNanos)
                .sum();
        Map<String, Long> switches = new HashMap<>();
        processes.forEach(process -> switches.putAll(contextSwitches(String.valueOf(process.pid()))));
        return new ProcessSample(cpuNanos, gcMillis, switches);
    }

    ProcessUsage since(ProcessSample earlier) {
        return new ProcessUsage(cpuNanos - earlier.cpuNanos, gcMillis - earlier.gcMillis, switchesSince(earlier));
    }

    /** Sums the switches of the threads that live now; threads that have ended are not counted. */
    private long switchesSince(ProcessSample earlier) {
        if (switches.isEmpty()) {
            return -1;
        }
        return switches.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - earlier.switches.getOrDefault(thread.getKey(), 0L))
                .sum();
    }

    /** Thread ids are unique across all processes. */
    private static Map<String, Long> contextSwitches(String process) {
        Path tasks = PROCESSES.resolve(process).resolve("task");
        Map<String, Long> perThread = new HashMap<>();
        if (Files.isDirectory(tasks)) {
            try (Stream<Path> threads = Files.list(tasks)) {
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
