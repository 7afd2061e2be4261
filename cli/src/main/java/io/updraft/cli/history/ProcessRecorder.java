package io.updraft.cli.history;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Samples this process: heap, CPU time, garbage collections. One thread. */
final class ProcessRecorder {
    static final Figure HEAP = new Figure("heapUsedBytes", Merge.MAX);

    /** CPU time per second, so 2 stands for two cores. */
    static final Figure CPU = new Figure("cpuCores", Merge.MEAN);

    static final Figure GC = new Figure("gcShare", Merge.MEAN);

    static final HistorySeries SERIES = new HistorySeries(HistorySeries.Kind.PROCESS, "", List.of(HEAP, CPU, GC));

    private long cpuNanos = readCpuNanos();
    private long gcMillis = readGcMillis();

    /** Returns the values since the last call. */
    double[] sample(double seconds) {
        long cpu = readCpuNanos();
        long gc = readGcMillis();
        double[] values = {
            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
            (cpu - cpuNanos) / (seconds * 1e9),
            (gc - gcMillis) / (seconds * 1e3)
        };
        cpuNanos = cpu;
        gcMillis = gc;
        return values;
    }

    private static long readCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? Math.max(0, system.getProcessCpuTime())
                : 0;
    }

    private static long readGcMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .map(millis -> Math.max(0, millis))
                .sum();
    }
}
