package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import java.time.ZoneId;
import java.util.List;

/**
 * All figures of a topology over an interval, for scripts.
 *
 * @param findings the topology as a whole
 * @param rates its components
 */
public record FiguresView(@Inlined FindingsView findings, List<Component> rates) {
    /**
     * The figures of a component.
     *
     * @param component its id
     * @param view its figures
     * @param byExecutor those of its executors, by first task
     */
    public record Component(String component, @Inlined ComponentView view, List<ExecutorView> byExecutor) {
        static Component of(TopologySample.ComponentRates rates) {
            return new Component(
                    rates.id(),
                    ComponentView.of(rates),
                    rates.executors().stream()
                            .map(executor -> ExecutorView.of(executor, null))
                            .toList());
        }
    }

    /** {@return the figures of a topology of a run} */
    public static FiguresView of(TopologySample sample) {
        return new FiguresView(
                FindingsView.of(
                        sample,
                        TopologyRemarks.of(sample, ZoneId.systemDefault()),
                        sample.advice() == null ? null : sample.advice().json()),
                sample.components().stream().map(Component::of).toList());
    }
}
