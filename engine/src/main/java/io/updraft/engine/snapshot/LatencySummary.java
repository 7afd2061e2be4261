package io.updraft.engine.snapshot;

/**
 * A latency distribution over one reporting interval and over the whole run.
 *
 * @param p50Nanos median since the last snapshot, nanoseconds; 0 when nothing was recorded
 * @param p99Nanos 99th percentile since the last snapshot, nanoseconds; 0 when nothing was recorded
 * @param maxNanos largest since the last snapshot, nanoseconds
 * @param totalP50Nanos median since the start, nanoseconds
 * @param totalP99Nanos 99th percentile since the start, nanoseconds
 * @param all all values since the start
 */
public record LatencySummary(
        long p50Nanos, long p99Nanos, long maxNanos, long totalP50Nanos, long totalP99Nanos, LatencyHistogram all) {

    /** Nothing recorded. */
    public static final LatencySummary EMPTY = new LatencySummary(0, 0, 0, 0, 0, LatencyHistogram.EMPTY);

    /** {@return the values since the start, with an interval in which nothing was recorded} */
    public LatencySummary withoutInterval() {
        return new LatencySummary(0, 0, 0, totalP50Nanos, totalP99Nanos, all);
    }

    /**
     * Extends the interval of this summary to an earlier one. Percentiles cannot be added: each is the larger one.
     *
     * @param earlier the summary of the interval before
     * @return the values since the start of this summary, with the interval's values of both
     */
    public LatencySummary after(LatencySummary earlier) {
        return new LatencySummary(
                Math.max(p50Nanos, earlier.p50Nanos),
                Math.max(p99Nanos, earlier.p99Nanos),
                Math.max(maxNanos, earlier.maxNanos),
                totalP50Nanos,
                totalP99Nanos,
                all);
    }
}
