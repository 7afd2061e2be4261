package io.updraft.cli.history;

import io.updraft.cluster.inspection.ProcessRequests;
import io.updraft.cluster.inspection.RequestHandler;
import io.updraft.engine.metrics.Move;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers {@code history}: the steps of the last {@code lastSeconds}, each {@code stepSeconds} long; for the {@code component},
 * if there is one, else totals; of the {@code topology}, or of all. Figures that are not known are missing.
 */
public final class HistoryRequest implements RequestHandler {
    private final Histories histories;

    /** Creates the handler. */
    public HistoryRequest(Histories all) {
        this.histories = all;
    }

    @Override
    public Map<String, Object> answer(Map<String, Object> request) {
        String topology = request.get("topology") instanceof String name ? name : null;
        String component = request.get("component") instanceof String name ? name : null;
        long last = ProcessRequests.number(request, "lastSeconds") * 1_000L;
        long step = ProcessRequests.number(request, "stepSeconds") * 1_000L;
        if (last <= 0 || step <= 0) {
            throw new IllegalArgumentException("lastSeconds and stepSeconds must be positive");
        }
        List<Extract> extracts = histories.read(topology, history -> Extract.of(history, last, step));
        if (component != null) {
            extracts = withComponent(extracts, component);
        }
        return Map.of(
                "topologies",
                extracts.stream().map(extract -> extract.json(component)).toList());
    }

    private static List<Extract> withComponent(List<Extract> extracts, String component) {
        List<Extract> having = extracts.stream()
                .filter(extract -> extract.components().contains(component))
                .toList();
        if (having.isEmpty()) {
            Set<String> known = new TreeSet<>();
            extracts.forEach(extract -> known.addAll(extract.components()));
            throw new IllegalArgumentException("no component '" + component + "' in this time; there "
                    + (known.isEmpty() ? "is no sample yet" : "are: " + String.join(", ", known)));
        }
        return having;
    }

    /** What is read of a history under the lock. */
    private record Extract(
            String name,
            long endedMillis,
            long startMillis,
            long coarseUntilMillis,
            boolean shortened,
            List<HistoryStep> steps,
            List<Move> moves) {

        static Extract of(History history, long lastMillis, long stepMillis) {
            return new Extract(
                    history.name(),
                    history.endedMillis(),
                    history.startMillis(),
                    history.coarseUntilMillis(),
                    history.isShortened(),
                    history.steps(history.endMillis() - lastMillis, stepMillis),
                    history.moves(history.endMillis() - lastMillis));
        }

        Set<String> components() {
            Set<String> names = new TreeSet<>();
            for (HistoryStep step : steps) {
                step.values().keySet().stream()
                        .filter(HistorySeries::isComponent)
                        .map(HistorySeries::name)
                        .forEach(names::add);
            }
            return names;
        }

        Map<String, Object> json(String component) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("name", name);
            json.put("component", component);
            json.put("ended", time(endedMillis));
            json.put("begins", time(startMillis));
            json.put("tenSecondSamplesUntil", time(coarseUntilMillis));
            json.put("shortened", shortened);
            json.put("components", List.copyOf(components()));
            List<Object> rows = new ArrayList<>();
            for (HistoryStep step : steps) {
                StepJson.row(step, component).ifPresent(rows::add);
            }
            json.put("steps", rows);
            json.put(
                    "moves",
                    moves.stream()
                            .filter(move -> component == null || isOf(move, component))
                            .map(Extract::json)
                            .toList());
            return json;
        }

        /** Returns whether a move is that of a component, or one of several components. */
        private static boolean isOf(Move move, String component) {
            String subject = move.subject();
            return subject.equals(component)
                    || subject.startsWith(component + ", task ")
                    || subject.startsWith("worker ")
                    || subject.startsWith("all ");
        }

        private static Map<String, Object> json(Move move) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("time", time(move.timeMillis()));
            json.put("subject", move.subject());
            json.put("from", move.from());
            json.put("to", move.to());
            json.put("reason", move.reason());
            return json;
        }

        private static String time(long millis) {
            return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
        }
    }
}
