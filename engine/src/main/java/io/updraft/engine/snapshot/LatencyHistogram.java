package io.updraft.engine.snapshot;

import java.util.List;
import java.util.stream.IntStream;

/**
 * All latencies since the start by their size. Histograms of executors and of processes can be added; percentiles cannot.
 *
 * @param nanos the sum of the latencies, nanoseconds
 * @param counts the numbers of latencies beyond the bound before and up to each of {@link #BOUNDS_NANOS}, then of those beyond
 *     all bounds; zeros at the end are left out
 */
public record LatencyHistogram(long nanos, List<Long> counts) {
    /** The largest latency of each count: two in a decade, which keeps a percentile right within a factor of two or so. */
    public static final List<Long> BOUNDS_NANOS = List.of(
            1_000L,
            3_000L,
            10_000L,
            30_000L,
            100_000L,
            300_000L,
            1_000_000L,
            3_000_000L,
            10_000_000L,
            30_000_000L,
            100_000_000L,
            300_000_000L,
            1_000_000_000L,
            3_000_000_000L,
            10_000_000_000L,
            30_000_000_000L,
            100_000_000_000L);

    /** Nothing recorded. */
    public static final LatencyHistogram EMPTY = new LatencyHistogram(0, List.of());

    /**
     * {@return the sum}
     *
     * @param other latencies of another executor or process
     */
    public LatencyHistogram plus(LatencyHistogram other) {
        List<Long> sums = IntStream.range(0, Math.max(counts.size(), other.counts.size()))
                .mapToObj(bucket -> count(bucket) + other.count(bucket))
                .toList();
        return new LatencyHistogram(nanos + other.nanos, sums);
    }

    /**
     * {@return the number of latencies in a bucket}
     *
     * @param bucket the index of its bound
     */
    public long count(int bucket) {
        return bucket < counts.size() ? counts.get(bucket) : 0;
    }
}
