package io.updraft.engine.snapshot;

/**
 * The sum of latencies since the start. The difference of two sums gives the mean of the time between them.
 *
 * @param count values recorded
 * @param nanos the sum of the values, nanoseconds
 */
public record LatencySum(long count, long nanos) {

    /** Nothing recorded. */
    public static final LatencySum NONE = new LatencySum(0, 0);

    /**
     * {@return the total}
     *
     * @param other values recorded elsewhere
     */
    public LatencySum plus(LatencySum other) {
        return add(other, 1);
    }

    /**
     * {@return the difference}
     *
     * @param before the sum at an earlier time
     */
    public LatencySum since(LatencySum before) {
        return add(before, -1);
    }

    LatencySum add(LatencySum other, int sign) {
        return new LatencySum(count + sign * other.count, nanos + sign * other.nanos);
    }

    /** {@return the mean, milliseconds; 0 when nothing was recorded} */
    public double meanMillis() {
        return count == 0 ? 0 : nanos / 1e6 / count;
    }
}
