package io.updraft.observe.history;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.history.HistorySeries.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Describes a step as a JSON object. */
final class StepJson {
    private StepJson() {}

    /**
     * Describes the subject in a step. {@return nothing if the component was not there; of a worker that was not there only the
     * time, so that its gaps can be seen}
     */
    static Optional<JsonObject> row(HistoryStep step, HistorySubject subject) {
        JsonObject row = JsonObject.of(
                        "time", Instant.ofEpochMilli(step.startMillis()).toString())
                .with("seconds", step.seconds());
        if (subject.isTotals()) {
            totals(step, row);
            return Optional.of(row);
        }
        boolean found = subject.worker() != null;
        for (Map.Entry<HistorySeries, double[]> series : step.values().entrySet()) {
            if (subject.isOf(series.getKey())) {
                put(series.getKey(), series.getValue(), row);
                found = true;
            }
        }
        return found ? Optional.of(row) : Optional.empty();
    }

    private static void put(HistorySeries series, double[] values, JsonObject row) {
        for (int i = 0; i < values.length; i++) {
            if (!Double.isNaN(values[i])) {
                row.put(series.figures().get(i).key(), values[i]);
            }
        }
    }

    private static void totals(HistoryStep step, JsonObject row) {
        Totals totals = new Totals();
        step.values().forEach(totals::add);
        boolean pipeline = step.values().keySet().stream().anyMatch(series -> series.kind() == Kind.PIPELINE);
        if (!pipeline) {
            totals.putComponents(row);
        }
        row.putAll(totals.pipelineValues);
    }

    /** The sums and the largest values of all components. */
    private static final class Totals {
        private final Map<String, Double> sums = new LinkedHashMap<>();
        private final JsonObject pipelineValues = new JsonObject();
        private final List<Double> loops = new ArrayList<>();
        private double busiest;
        private String busiestName;

        void add(HistorySeries series, double[] values) {
            if (series.isComponent()) {
                for (int i = 0; i < values.length; i++) {
                    addFigure(series, series.figures().get(i).key(), values[i]);
                }
            } else if (series.kind() == Kind.LOOPS) {
                for (double busy : values) {
                    loops.add(Double.isNaN(busy) ? 0 : busy);
                }
            } else if (series.kind() != Kind.WORKER) {
                StepJson.put(series, values, pipelineValues);
            }
        }

        private void addFigure(HistorySeries series, String key, double value) {
            if (Double.isNaN(value)) {
                return;
            }
            boolean spout = series.kind() == Kind.SPOUT;
            switch (key) {
                case "emittedPerSecond" -> sum(spout ? "spoutEmittedPerSecond" : key, value);
                case "ackedPerSecond" -> sum(spout ? "completedPerSecond" : key, value);
                case "failedPerSecond" -> sum(spout ? "failedTreesPerSecond" : key, value);
                case "executedPerSecond", "timedOut", "deadLettered", "errors", "restarts", "queued", "inFlight" ->
                    sum(key, value);
                case "executors", "ownThreads" -> sum(key, value);
                case "executeP99Nanos" -> sums.merge(spout ? "nextTupleP99Nanos" : key, value, Math::max);
                case "completeP50Nanos", "completeP99Nanos" -> sums.merge(key, value, Math::max);
                case "busy" -> busy(series.name(), value);
                default -> {}
            }
        }

        private void sum(String key, double value) {
            sums.merge(key, value, Double::sum);
        }

        private void busy(String name, double share) {
            if (share > busiest) {
                busiest = share;
                busiestName = name;
            }
        }

        void putComponents(JsonObject row) {
            row.putAll(sums);
            row.put("busiest", busiestName);
            row.put("busiestShare", busiest);
            row.put("loopBusy", loops);
        }
    }
}
