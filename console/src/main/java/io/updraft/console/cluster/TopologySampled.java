package io.updraft.console.cluster;

import io.updraft.observe.history.RateRecorder;
import io.updraft.observe.view.ComponentView;
import io.updraft.observe.view.CountsView;
import io.updraft.observe.view.ExecutorView;
import io.updraft.observe.view.LatencyView;
import io.updraft.observe.view.RatesView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.generated.ExecutorSummary;

/**
 * A reading of a topology, and the rates at that moment.
 *
 * @param reading what Nimbus knows
 * @param rates the rates until then
 */
record TopologySampled(TopologyReading reading, Rates rates) {
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * A component.
     *
     * @param total its counts since its executors started
     * @param recent its counts in the last ten minutes
     */
    record Component(
            String id,
            boolean spout,
            List<ExecutorSummary> executors,
            StreamCounts rates,
            StreamCounts total,
            StreamCounts recent) {
        /** {@return the capacity of the busiest executor; null if unknown} */
        Double busy() {
            return executors.stream()
                    .map(TopologyReading::capacity)
                    .filter(Objects::nonNull)
                    .max(Double::compare)
                    .orElse(null);
        }

        int tasks() {
            return executors.stream()
                    .mapToInt(executor -> executor.get_executor_info().get_task_end()
                            - executor.get_executor_info().get_task_start()
                            + 1)
                    .sum();
        }

        /** {@return the mean time of a call of execute in the last ten minutes; null without a call} */
        Double executeNanos() {
            return recent.executed() > 0 && recent.executeMillis() > 0
                    ? recent.executeMillis() / recent.executed() * NANOS_PER_MILLI
                    : null;
        }

        /** {@return the mean time from the emit of a tree to its ack in the last ten minutes; null without a tree} */
        Double completeNanos() {
            return spout && recent.acked() > 0 && recent.completeMillis() > 0
                    ? recent.completeMillis() / recent.acked() * NANOS_PER_MILLI
                    : null;
        }

        /** {@return the component for a page; what Storm does not know is null} */
        ComponentView view() {
            return new ComponentView(
                    id,
                    ComponentView.kind(spout),
                    executors.size(),
                    tasks(),
                    rates(rates, spout, busy()),
                    new LatencyView(rounded(executeNanos()), rounded(completeNanos()), null),
                    counts(total, spout),
                    null);
        }

        /** {@return the executors, by first task} */
        List<ExecutorView> executorViews(Rates all) {
            return executors.stream()
                    .map(executor -> {
                        int firstTask = executor.get_executor_info().get_task_start();
                        return new ExecutorView(
                                firstTask,
                                ClusterJson.name(executor.get_host(), executor.get_port()),
                                new ExecutorView.OfCluster(executor.get_uptime_secs()),
                                rates(all.of(firstTask), spout, TopologyReading.capacity(executor)),
                                counts(StreamCounts.of(executor.get_stats(), StreamCounts.ALL_TIME), spout));
                    })
                    .toList();
        }

        private static Long rounded(Double value) {
            return value == null ? null : Math.round(value);
        }

        private static RatesView rates(StreamCounts rates, boolean spout, Double busy) {
            return new RatesView(
                    rates.emitted(),
                    spout ? null : Double.valueOf(rates.executed()),
                    rates.acked(),
                    rates.failed(),
                    busy,
                    null);
        }

        private static CountsView counts(StreamCounts total, boolean spout) {
            return new CountsView(
                    (long) total.emitted(),
                    spout ? null : Long.valueOf((long) total.executed()),
                    (long) total.acked(),
                    (long) total.failed());
        }

        RateRecorder.Component figures() {
            return new RateRecorder.Component(
                    spout,
                    rates.emitted(),
                    spout ? Double.NaN : rates.executed(),
                    rates.acked(),
                    rates.failed(),
                    orNaN(busy()),
                    orNaN(executeNanos()),
                    orNaN(completeNanos()));
        }

        private static double orNaN(Double value) {
            return value == null ? Double.NaN : value;
        }
    }

    List<Component> components() {
        Map<Object, StreamCounts> totals = reading.counts();
        return reading.executors().entrySet().stream()
                .map(component -> new Component(
                        component.getKey(),
                        reading.isSpout(component.getKey()),
                        component.getValue(),
                        rates.of(component.getKey()),
                        totals.get(component.getKey()),
                        recent(component.getValue())))
                .toList();
    }

    private static StreamCounts recent(List<ExecutorSummary> executors) {
        return executors.stream()
                .map(executor -> StreamCounts.of(executor.get_stats(), StreamCounts.TEN_MINUTES))
                .reduce(StreamCounts.NONE, StreamCounts::plus);
    }

    Map<String, RateRecorder.Component> figures() {
        Map<String, RateRecorder.Component> figures = new LinkedHashMap<>();
        components().forEach(component -> figures.put(component.id(), component.figures()));
        return figures;
    }
}
