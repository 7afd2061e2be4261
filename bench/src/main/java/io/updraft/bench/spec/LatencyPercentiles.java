package io.updraft.bench.spec;

import org.HdrHistogram.Histogram;

/**
 * Complete latencies, in nanoseconds.
 *
 * @param count the number of recorded latencies
 * @param p50 the median
 * @param p90 the 90th percentile
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param max the longest
 */
public record LatencyPercentiles(long count, long p50, long p90, long p99, long p999, long max) {

    /**
     * Extracts the percentiles of a histogram.
     *
     * @param histogram latencies in nanoseconds
     * @return the percentiles; all zero when nothing was recorded
     */
    public static LatencyPercentiles of(Histogram histogram) {
        return new LatencyPercentiles(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getMaxValue());
    }
}
