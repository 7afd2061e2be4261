package io.updraft.bench.spec;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * The resource usage of processes, so far or during the measurement.
 *
 * @param cpuNanos user and system CPU time of all threads, in nanoseconds
 * @param gcMillis garbage collection time in milliseconds
 * @param contextSwitches voluntary and involuntary context switches of all threads; -1 if they are not known
 */
public record ProcessUsage(long cpuNanos, long gcMillis, long contextSwitches) {

    /** {@return the usage of this JVM so far, without context switches} */
    public static ProcessUsage ofThisProcess() {
        long cpuNanos = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
        return new ProcessUsage(cpuNanos, collectingMillis(), -1);
    }

    /** {@return the garbage collection time of this JVM so far, in milliseconds} */
    public static long collectingMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** {@return the usage since an earlier sample, without context switches} */
    public ProcessUsage since(ProcessUsage earlier) {
        return new ProcessUsage(cpuNanos - earlier.cpuNanos, gcMillis - earlier.gcMillis, -1);
    }
}
