package io.updraft.observe.history;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.snapshot.Move;
import io.updraft.observe.inspection.RequestHandler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers {@code history}: the steps of the last {@code lastSeconds}, each {@code stepSeconds} long; for the {@code component}
 * or the {@code worker}, if there is one, else totals; of the {@code topology}, or of all. Figures that are not known are missing.
 */
public final class HistoryRequest implements RequestHandler {
    private final Histories histories;

    /** Creates the handler. */
    public HistoryRequest(Histories all) {
        this.histories = all;
    }

    @Override
    public JsonObject answer(JsonObject request) {
        String topology = request.get("topology") instanceof String name ? name : null;
        HistorySubject subject =
                new HistorySubject(request.get("component") instanceof String name ? name : null, worker(request));
        long last = request.whole("lastSeconds") * 1_000L;
        long step = request.whole("stepSeconds") * 1_000L;
        if (last <= 0 || step <= 0) {
            throw new IllegalArgumentException("lastSeconds and stepSeconds must be positive");
        }
        List<Extract> all = histories.read(topology, history -> Extract.of(history, last, step));
        if (all.isEmpty() && topology != null) {
            throw new IllegalArgumentException("there is no sample of topology '" + topology + "' yet");
        }
        List<Extract> extracts = subject.isTotals() ? all : having(subject, all);
        return JsonObject.of(
                "topologies",
                extracts.stream().map(extract -> extract.json(subject)).toList());
    }

    private static Integer worker(JsonObject request) {
        Object worker = request.get("worker");
        if (worker != null && !(worker instanceof Number)) {
            throw new IllegalArgumentException("'worker' must be a number");
        }
        return worker == null ? null : ((Number) worker).intValue();
    }

    private static List<Extract> having(HistorySubject subject, List<Extract> extracts) {
        List<Extract> having = extracts.stream()
                .filter(extract -> extract.series().anyMatch(subject::isOf))
                .toList();
        if (having.isEmpty()) {
            String components = extracts.stream()
                    .flatMap(Extract::series)
                    .filter(subject::isKindOf)
                    .map(HistorySeries::name)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException("no " + subject.describe() + " in this time; there "
                    + (components.isEmpty() ? "is no sample yet" : "are: " + components));
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
                    moves(history, history.endMillis() - lastMillis));
        }

        /** Groups all moves before it selects those after a time, so that a group stays the same while it grows older. */
        private static List<Move> moves(History history, long fromMillis) {
            return MoveGroups.of(history.moves(0)).stream()
                    .filter(move -> move.timeMillis() > fromMillis)
                    .toList();
        }

        Stream<HistorySeries> series() {
            return steps.stream().flatMap(step -> step.values().keySet().stream());
        }

        private List<String> components() {
            return series().filter(HistorySeries::isComponent)
                    .map(HistorySeries::name)
                    .distinct()
                    .sorted()
                    .toList();
        }

        JsonObject json(HistorySubject subject) {
            JsonObject json = JsonObject.of("name", name)
                    .with("component", subject.component())
                    .with("worker", subject.worker())
                    .with("ended", time(endedMillis))
                    .with("begins", time(startMillis))
                    .with("tenSecondSamplesUntil", time(coarseUntilMillis))
                    .with("shortened", shortened)
                    .with("components", components());
            List<Object> rows = new ArrayList<>();
            for (HistoryStep step : steps) {
                StepJson.row(step, subject).ifPresent(rows::add);
            }
            json.put("steps", rows);
            json.put(
                    "moves",
                    moves.stream().filter(subject::isOf).map(Extract::json).toList());
            return json;
        }

        private static JsonObject json(Move move) {
            return JsonObject.of("time", time(move.timeMillis()))
                    .with("subject", move.subject())
                    .with("from", move.from())
                    .with("to", move.to())
                    .with("reason", move.reason());
        }

        private static String time(long millis) {
            return millis == 0 ? null : Instant.ofEpochMilli(millis).toString();
        }
    }
}
