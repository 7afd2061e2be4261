package io.updraft.engine.count;

import io.updraft.engine.metrics.LatencySum;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters by stream, a cache line for each stream. One writer at a time, which may count in the middle of a turn. Any thread
 * may read and sees each value eventually.
 */
public final class StreamCounters {

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Cells of one stream, padded to a cache line. */
    private static final int LINE = 8;

    private final long[] cells;

    public StreamCounters(int streams) {
        cells = new long[LINE + streams * LINE + LINE];
    }

    public void addOpaque(int stream, int count, long more) {
        int at = LINE + stream * LINE + count;
        CELLS.setOpaque(cells, at, cells[at] + more);
    }

    /** Adds a latency: increments a count, and adds to the sum of nanoseconds in the next cell. */
    public void addTimeOpaque(int stream, int count, long nanos) {
        addOpaque(stream, count, 1);
        addOpaque(stream, count + 1, Math.max(0, nanos));
    }

    public long getOpaque(int stream, int count) {
        return (long) CELLS.getOpaque(cells, LINE + stream * LINE + count);
    }

    public LatencySum getTimeOpaque(int stream, int count) {
        return new LatencySum(getOpaque(stream, count), getOpaque(stream, count + 1));
    }
}
