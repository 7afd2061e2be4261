package io.updraft.engine.run;

import io.updraft.engine.snapshot.LatencySum;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters by stream, a cache line for each stream. One writer at a time, which may count in the middle of a turn. Any thread
 * may read and sees each value eventually.
 */
final class StreamCounters {

    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Cells of one stream, padded to a cache line. */
    private static final int LINE = 8;

    private final long[] cells;

    /**
     * Creates the counters, all 0.
     *
     * @param streams the number of streams
     */
    public StreamCounters(int streams) {
        cells = new long[LINE + streams * LINE + LINE];
    }

    /**
     * Adds to a counter.
     *
     * @param stream the number of the stream
     * @param count the number of the counter, less than 8
     * @param more what to add
     */
    public void addOpaque(int stream, int count, long more) {
        int at = LINE + stream * LINE + count;
        CELLS.setOpaque(cells, at, cells[at] + more);
    }

    /**
     * Adds a latency: increments a counter, and adds to the sum of nanoseconds in the next one.
     *
     * @param stream the number of the stream
     * @param count the number of the counter
     * @param nanos the latency
     */
    public void addTimeOpaque(int stream, int count, long nanos) {
        addOpaque(stream, count, 1);
        addOpaque(stream, count + 1, Math.max(0, nanos));
    }

    /**
     * Returns a counter.
     *
     * @param stream the number of the stream
     * @param count the number of the counter
     * @return its value
     */
    public long getOpaque(int stream, int count) {
        return (long) CELLS.getOpaque(cells, LINE + stream * LINE + count);
    }

    /**
     * Returns the latencies of a counter.
     *
     * @param stream the number of the stream
     * @param count the number of the counter
     * @return their number and their sum
     */
    public LatencySum getTimeOpaque(int stream, int count) {
        return new LatencySum(getOpaque(stream, count), getOpaque(stream, count + 1));
    }
}
