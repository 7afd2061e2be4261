package io.updraft.observe.history;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds the rates of one topology of a cluster, which another process knows, to its history. One thread at a time. */
public final class RateRecorder {
    private static final List<Figure> FIGURES = List.of(
            new Figure("emittedPerSecond", Merge.MEAN),
            new Figure("executedPerSecond", Merge.MEAN),
            new Figure("ackedPerSecond", Merge.MEAN),
            new Figure("failedPerSecond", Merge.MEAN),
            new Figure("busy", Merge.MEAN),
            new Figure("executeP50Nanos", Merge.MAX),
            new Figure("completeP50Nanos", Merge.MAX));

    private final Histories histories;
    private final History history;

    /** Begins the history of a topology. */
    public RateRecorder(Histories to, String name) {
        this.histories = to;
        this.history = to.begin(name);
    }

    /**
     * The figures of a component. NaN stands for what is not known.
     *
     * @param spout whether it is a spout
     * @param emittedPerSecond tuples emitted
     * @param executedPerSecond tuples executed
     * @param ackedPerSecond tuples or trees acked
     * @param failedPerSecond tuples or trees failed
     * @param busy the busy share of its busiest executor
     * @param executeNanos the latency of execute
     * @param completeNanos the time from the emit of a tree to its ack
     */
    public record Component(
            boolean spout,
            double emittedPerSecond,
            double executedPerSecond,
            double ackedPerSecond,
            double failedPerSecond,
            double busy,
            double executeNanos,
            double completeNanos) {
        double[] values() {
            return new double[] {
                emittedPerSecond, executedPerSecond, ackedPerSecond, failedPerSecond, busy, executeNanos, completeNanos
            };
        }
    }

    /**
     * Adds a sample that ends at a moment.
     *
     * @param endMillis the moment, milliseconds since 1970
     * @param seconds the length of the sample
     * @param components the figures by component
     */
    public void add(long endMillis, double seconds, Map<String, Component> components) {
        Map<HistorySeries, double[]> sample = new LinkedHashMap<>();
        components.forEach((id, component) -> {
            HistorySeries.Kind kind = component.spout() ? HistorySeries.Kind.SPOUT : HistorySeries.Kind.BOLT;
            sample.put(new HistorySeries(kind, id, FIGURES), component.values());
        });
        histories.add(history, endMillis, seconds, sample);
    }

    /** Notes the end of the topology. */
    public void end() {
        histories.end(history, System.currentTimeMillis());
    }
}
