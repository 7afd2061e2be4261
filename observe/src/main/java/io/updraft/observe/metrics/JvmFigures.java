package io.updraft.observe.metrics;

import io.updraft.observe.metrics.MetricsText.Kind;
import io.updraft.observe.process.OldObjects;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.function.ToLongFunction;

/** Writes the figures of this process: its heap, garbage collections, threads and CPU time. */
final class JvmFigures {
    static final double MILLIS_PER_SECOND = 1e3;

    static final String AFTER_COLLECTION =
            "Share of the room for objects that have lived long in use after its last collection, from 0 to 1.";

    private JvmFigures() {}

    public static void write(MetricsText text) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        text.family(Kind.GAUGE, "updraft_jvm_heap_used_bytes", "Heap in use, garbage included.");
        text.sample(heap.getUsed());
        text.family(Kind.GAUGE, "updraft_jvm_heap_max_bytes", "Largest size of the heap.");
        if (heap.getMax() >= 0) {
            text.sample(heap.getMax());
        }
        text.family(Kind.GAUGE, "updraft_jvm_heap_after_collection_ratio", AFTER_COLLECTION);
        text.sample(OldObjects.now().share());
        text.family(Kind.COUNTER, "updraft_jvm_gc_seconds", "Time in garbage collections, of all collectors.");
        text.sample(gc(GarbageCollectorMXBean::getCollectionTime) / MILLIS_PER_SECOND);
        text.family(Kind.COUNTER, "updraft_jvm_gc_collections", "Garbage collections, of all collectors.");
        text.sample(gc(GarbageCollectorMXBean::getCollectionCount));
        text.family(Kind.GAUGE, "updraft_jvm_threads", "Threads that run Java code.");
        text.sample(ManagementFactory.getThreadMXBean().getThreadCount());
        text.family(Kind.COUNTER, "updraft_process_cpu_seconds", "CPU time of the process.");
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                && system.getProcessCpuTime() >= 0) {
            text.sample(system.getProcessCpuTime() / RunMetrics.NANOS_PER_SECOND);
        }
        text.family(Kind.GAUGE, "updraft_process_start_time_seconds", "Start of the process, seconds since 1970.");
        text.sample(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS_PER_SECOND);
    }

    /** Adds up a figure of the collectors; -1 stands for unknown. */
    private static double gc(ToLongFunction<GarbageCollectorMXBean> figure) {
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        return collectors.stream()
                .mapToLong(collector -> Math.max(0, figure.applyAsLong(collector)))
                .sum();
    }
}
