package io.updraft.pipeline.run;

import java.util.concurrent.atomic.AtomicLong;

/** The counters of the write task. The task writes them, any thread reads them. */
final class WriteCounters {

    private final AtomicLong windows = new AtomicLong();
    private final AtomicLong groups = new AtomicLong();
    private final AtomicLong retries = new AtomicLong();
    private final AtomicLong overflows = new AtomicLong();

    /** Counts a result that was written and made durable, with its groups. */
    public void written(long itsGroups) {
        windows.incrementAndGet();
        groups.addAndGet(itsGroups);
    }

    public void retried() {
        retries.incrementAndGet();
    }

    /** Counts a group that became a dead letter, since it overflows or a sink refuses it; returns whether it is the first. */
    public boolean overflowed() {
        return overflows.incrementAndGet() == 1;
    }

    /** Returns how many results were written and made durable; a window that was written twice counts twice. */
    public long windows() {
        return windows.get();
    }

    public long groups() {
        return groups.get();
    }

    /** Returns how many groups became dead letters, counted each time that their window was written. */
    public long overflows() {
        return overflows.get();
    }

    public long retries() {
        return retries.get();
    }
}
