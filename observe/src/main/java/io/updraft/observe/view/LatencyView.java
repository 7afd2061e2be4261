package io.updraft.observe.view;

import io.updraft.base.json.Inlined;

/**
 * How long the calls of a component take, and its tuple trees; nanoseconds. An interval without calls has no latency: null.
 *
 * @param executeP50Nanos the median time in execute or nextTuple; a mean if the source knows no percentiles
 * @param completeP50Nanos the median time from the emit of a tree to its ack; a mean if the source knows no percentiles
 * @param tails the 99th percentiles; null if the source knows none
 */
public record LatencyView(
        Long executeP50Nanos,
        Long completeP50Nanos,
        @Inlined Tails tails) {
    /**
     * The 99th percentiles, nanoseconds.
     *
     * @param executeP99Nanos that of the time in execute or nextTuple
     * @param completeP99Nanos that of the time from the emit of a tree to its ack
     */
    public record Tails(Long executeP99Nanos, Long completeP99Nanos) {}

    static LatencyView of(TopologySample.ComponentRates rates) {
        return new LatencyView(
                measured(rates.execute().p50Nanos()),
                measured(rates.complete().p50Nanos()),
                new Tails(
                        measured(rates.execute().p99Nanos()),
                        measured(rates.complete().p99Nanos())));
    }

    private static Long measured(long nanos) {
        return nanos == 0 ? null : Long.valueOf(nanos);
    }
}
