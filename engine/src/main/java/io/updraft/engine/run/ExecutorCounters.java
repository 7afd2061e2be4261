package io.updraft.engine.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of one executor. The thread that runs the executor counts in plain fields and publishes once a turn; any thread
 * may read the published values. Calls of user threads are counted separately from those of the executor's thread.
 */
final class ExecutorCounters {

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** One cache line before and after, to avoid false sharing. */
    private static final int PADDING = 8;

    /** Position of the counts of user threads. */
    private static final int OUTSIDE = PADDING + ExecutorCounter.ALL.length + PADDING;

    private final long[] cells = new long[OUTSIDE + ExecutorCounter.ALL.length + PADDING];

    /**
     * Publishes a count. Called only by the thread that runs the executor.
     *
     * @param counter the counter
     * @param value its value since the start
     */
    public void putRelease(ExecutorCounter counter, long value) {
        CELLS.setRelease(cells, PADDING + counter.ordinal(), value);
    }

    /**
     * Returns what the executor has published.
     *
     * @param counter the counter
     * @return its value
     */
    public long getAcquire(ExecutorCounter counter) {
        return (long) CELLS.getAcquire(cells, PADDING + counter.ordinal());
    }

    /**
     * Counts calls of a user thread. Call this only under the lock of the executor.
     *
     * @param counter the counter
     * @param more the number of calls
     */
    public void addOutside(ExecutorCounter counter, long more) {
        int at = OUTSIDE + counter.ordinal();
        CELLS.setRelease(cells, at, cells[at] + more);
    }

    /**
     * Returns what the executor has published, plus the calls of user threads.
     *
     * @param counter the counter
     * @return the sum
     */
    public long total(ExecutorCounter counter) {
        return getAcquire(counter) + (long) CELLS.getAcquire(cells, OUTSIDE + counter.ordinal());
    }
}
