package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.engine.snapshot.ComponentSnapshot;

/**
 * A component over an interval.
 *
 * @param id its id
 * @param kind {@code spout} or {@code bolt}
 * @param executors the number of its executors
 * @param tasks the number of its tasks
 * @param rates what it does
 * @param latency how long its calls take
 * @param counts what it has done
 * @param load what waits and what went wrong; null if the source does not know
 */
public record ComponentView(
        String id,
        String kind,
        int executors,
        int tasks,
        @Inlined RatesView rates,
        @Inlined LatencyView latency,
        @Inlined CountsView counts,
        @Inlined LoadView load) {

    static ComponentView of(TopologySample.ComponentRates rates) {
        ComponentSnapshot now = rates.now();
        return new ComponentView(
                now.id(),
                kind(now.spout()),
                now.executors(),
                now.tasks(),
                RatesView.of(rates),
                LatencyView.of(rates),
                new CountsView(now.emitted(), now.executed(), now.acked(), now.failed()),
                LoadView.of(rates));
    }

    /** {@return the kind of a component} */
    public static String kind(boolean spout) {
        return spout ? "spout" : "bolt";
    }
}
