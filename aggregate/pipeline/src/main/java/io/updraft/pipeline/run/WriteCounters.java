package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowResult;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of the write task. The task writes them, any thread reads them. */
final class WriteCounters {

    private final AtomicLong windows = new AtomicLong();
    private final AtomicLong groups = new AtomicLong();
    private final AtomicLong retries = new AtomicLong();
    private final AtomicLong overflows = new AtomicLong();

    void written(WindowResult result) {
        windows.incrementAndGet();
        groups.addAndGet(result.size());
    }

    void retried() {
        retries.incrementAndGet();
    }

    /** Counts a group that became a dead letter since it overflows; returns whether it is the first. */
    boolean overflowed() {
        return overflows.incrementAndGet() == 1;
    }

    /** Returns how many results were written and made durable; a window that was written twice counts twice. */
    long windows() {
        return windows.get();
    }

    long groups() {
        return groups.get();
    }

    /** Returns how many groups became dead letters since they overflow, counted each time that their window was written. */
    long overflows() {
        return overflows.get();
    }

    long retries() {
        return retries.get();
    }
}
