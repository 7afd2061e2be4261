package io.updraft.bench.aggregate;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.spec.ProcessUsage;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures a run from the last sample before more than a number of records were read. A thread samples the CPU time of all Java
 * threads, because that of a thread which has ended is no longer known.
 */
final class PartSampler {

    private static final long PAUSE_MILLIS = 10;
    /** The name of the thread of a source of files. */
    private static final String READER = "updraft-files";

    private record ThreadCpu(String name, long nanos) {}

    private final LongSupplier records;
    private final LongSupplier resultNanos;
    private final long first;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    private final Map<Long, ThreadCpu> cpu = new HashMap<>();
    private final Thread thread;
    private PartUsage before;

    /**
     * Starts the thread.
     *
     * @param records the records that were read so far
     * @param resultNanos the CPU time that results have taken so far
     * @param first the number of records after which the measurement starts
     */
    PartSampler(LongSupplier records, LongSupplier resultNanos, long first) {
        this.records = records;
        this.resultNanos = resultNanos;
        this.first = first;
        thread = DaemonThreads.create("bench-sampler", this::run);
        look();
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                look();
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void look() {
        PartUsage now = sample();
        if (now.records() <= first) {
            before = now;
        }
    }

    /** {@return the usage of the measurement, which ends now} */
    synchronized PartUsage end() {
        return sample().since(before);
    }

    private PartUsage sample() {
        for (ThreadInfo info : threads.getThreadInfo(threads.getAllThreadIds())) {
            long nanos = info == null ? -1 : threads.getThreadCpuTime(info.getThreadId());
            if (nanos >= 0) {
                cpu.put(info.getThreadId(), new ThreadCpu(info.getThreadName(), nanos));
            }
        }
        long own = cpu.getOrDefault(thread.getId(), new ThreadCpu("", 0)).nanos();
        long all = cpu.values().stream().mapToLong(ThreadCpu::nanos).sum();
        long read = cpu.values().stream()
                .filter(one -> one.name().equals(READER))
                .mapToLong(ThreadCpu::nanos)
                .sum();
        ProcessUsage process = ProcessUsage.ofThisProcess();
        return new PartUsage(
                System.nanoTime(),
                records.getAsLong(),
                process.cpuNanos() - own,
                read,
                all - own - read,
                resultNanos.getAsLong(),
                compiler.getTotalCompilationTime(),
                process.gcMillis());
    }
}
