package io.updraft.bench.spec;

/**
 * The resource usage of the components' processes during the measurement.
 *
 * @param cpuNanos CPU time of all threads, in nanoseconds
 * @param gcMillis garbage collection time in milliseconds
 * @param contextSwitches voluntary and involuntary context switches of all threads; -1 if the system does not report them
 */
public record ProcessUsage(long cpuNanos, long gcMillis, long contextSwitches) {}
