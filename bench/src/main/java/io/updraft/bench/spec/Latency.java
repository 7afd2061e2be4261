package io.updraft.bench.spec;

import java.util.LinkedHashMap;
import java.util.Map;
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
public record Latency(long count, long p50, long p90, long p99, long p999, long max) {

    /**
     * Extracts the percentiles of a histogram.
     *
     * @param histogram latencies in nanoseconds
     * @return the percentiles; all zero when nothing was recorded
     */
    public static Latency of(Histogram histogram) {
        return new Latency(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(90),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getMaxValue());
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", count);
        json.put("p50", p50);
        json.put("p90", p90);
        json.put("p99", p99);
        json.put("p999", p999);
        json.put("max", max);
        return json;
    }

    static Latency fromJson(Map<String, Object> json) {
        return new Latency(
                Field.asLong(json, "count"),
                Field.asLong(json, "p50"),
                Field.asLong(json, "p90"),
                Field.asLong(json, "p99"),
                Field.asLong(json, "p999"),
                Field.asLong(json, "max"));
    }
}
