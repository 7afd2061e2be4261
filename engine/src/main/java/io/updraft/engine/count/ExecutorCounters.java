package io.updraft.engine.count;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counters of one executor. The thread that runs the executor counts in plain fields and publishes once a turn; any thread
 * may read the published values.
 */
public final class ExecutorCounters {

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** One cache line before and after, to avoid false sharing. */
    private static final int PADDING = 8;

    private final long[] cells = new long[PADDING + ExecutorCounter.ALL.length + PADDING];

    public void putRelease(ExecutorCounter counter, long value) {
        CELLS.setRelease(cells, PADDING + counter.ordinal(), value);
    }

    public long getAcquire(ExecutorCounter counter) {
        return (long) CELLS.getAcquire(cells, PADDING + counter.ordinal());
    }
}
