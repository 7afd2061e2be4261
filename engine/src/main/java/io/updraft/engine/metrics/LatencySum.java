package io.updraft.engine.metrics;

/**
 * Latencies added up since the start, so that a mean over any time is that of the difference of two.
 *
 * @param count values recorded
 * @param nanos their sum, nanoseconds
 */
public record LatencySum(long count, long nanos) {

    /** Nothing recorded. */
    public static final LatencySum NONE = new LatencySum(0, 0);

    /**
     * Adds.
     *
     * @param other what was recorded elsewhere
     * @return both
     */
    public LatencySum plus(LatencySum other) {
        return new LatencySum(count + other.count, nanos + other.nanos);
    }

    /**
     * Subtracts.
     *
     * @param before what had been recorded at an earlier time
     * @return what was recorded since
     */
    public LatencySum since(LatencySum before) {
        return new LatencySum(count - before.count, nanos - before.nanos);
    }

    /** {@return the mean, milliseconds; 0 when nothing was recorded} */
    public double meanMillis() {
        return count == 0 ? 0 : nanos / 1e6 / count;
    }
}
