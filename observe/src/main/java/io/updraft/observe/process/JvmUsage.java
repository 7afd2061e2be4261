package io.updraft.observe.process;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/**
 * What a process uses at one moment. Times are counted from its start.
 *
 * @param uptimeMillis time since the start, milliseconds
 * @param heapUsedBytes heap in use, garbage included
 * @param heapMaxBytes the largest size of the heap; 0 if unknown
 * @param old objects that have lived long
 * @param cpuNanos CPU time, nanoseconds
 * @param gcMillis time in garbage collections, of all collectors, milliseconds
 */
public record JvmUsage(
        long uptimeMillis, long heapUsedBytes, long heapMaxBytes, OldObjects old, long cpuNanos, long gcMillis) {
    /** The start of any process. */
    public static final JvmUsage START = new JvmUsage(0, 0, 0, new OldObjects(0, 0, 0), 0, 0);

    /** {@return the usage of this process} */
    public static JvmUsage now() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return new JvmUsage(
                ManagementFactory.getRuntimeMXBean().getUptime(),
                heap.getUsed(),
                Math.max(0, heap.getMax()),
                OldObjects.now(),
                ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                        ? Math.max(0, system.getProcessCpuTime())
                        : 0,
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .map(millis -> Math.max(0, millis))
                        .sum());
    }
}
