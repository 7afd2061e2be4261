package io.updraft.observe.view;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.Remark.Style;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Finds what is worth saying about a topology. Remarks of one kind are a group; the most important group comes first. */
public final class TopologyRemarks {
    private static final int MAX_ERRORS = 3;
    private static final int MAX_CALLS = 3;
    private static final int MAX_HOT_KEYS = 3;

    private final ZoneId zone;
    private final List<Remark> remarks = new ArrayList<>();
    private int groups;

    private TopologyRemarks(TopologySample sample, ZoneId zone) {
        this.zone = zone;
        boolean allUp = sample.workers().stream().noneMatch(WorkerLines::isTroubled);
        add(stuck(sample), Style.BAD);
        Optional<Bottleneck> bottleneck = Bottleneck.of(sample);
        add("bottleneck: ", bottleneck.map(Bottleneck::verdict).orElse(""), Style.BOTTLENECK);
        add("advice: ", advice(sample, bottleneck), Style.PLAIN);
        add(atMost(MAX_HOT_KEYS, HotKeyLines.of(sample), "hot keys"), Style.BOTTLENECK);
        add(allUp ? List.of() : workers(sample.workers()), Style.BAD);
        add("never acked: ", TupleHolders.neverAcked(sample), Style.BAD);
        add("timed out since the start: ", TupleHolders.timedOut(sample.now()), Style.BAD);
        add("dead-lettered: ", counts(sample, ComponentSnapshot::deadLettered), Style.BAD);
        add(errors(sample), Style.BAD);
        add("restarts: ", counts(sample, ComponentSnapshot::restarts), Style.BAD);
        add("back-pressured: ", edges(sample), Style.PLAIN);
        add("blocking (own thread): ", counts(sample, ComponentSnapshot::ownThreads), Style.PLAIN);
        add(allUp ? workers(sample.workers()) : List.of(), Style.PLAIN);
    }

    /**
     * Finds the remarks on a sample, the most important first.
     *
     * @param sample the sample
     * @param zone the zone of the times in the remarks
     * @return the remarks
     */
    public static List<Remark> of(TopologySample sample, ZoneId zone) {
        return new TopologyRemarks(sample, zone).remarks;
    }

    private void add(String label, String subjects, Style style) {
        add(subjects.isEmpty() ? List.of() : List.of(label + subjects), style);
    }

    private void add(List<String> group, Style style) {
        for (int place = 0; place < group.size(); place++) {
            remarks.add(new Remark(groups, place, group.get(place), style));
        }
        groups++;
    }

    private static List<String> atMost(int limit, List<String> lines, String kind) {
        if (lines.size() <= limit) {
            return lines;
        }
        List<String> shown = new ArrayList<>(lines.subList(0, limit));
        shown.add("  ... and " + (lines.size() - limit) + " more " + kind);
        return shown;
    }

    /** Returns the advice; empty if a call of the bottleneck is stuck, which more executors would not help. */
    private static String advice(TopologySample sample, Optional<Bottleneck> bottleneck) {
        boolean isStuck = sample.now().calls().stream()
                .anyMatch(call -> bottleneck.isPresent()
                        && call.component().equals(bottleneck.get().componentId()));
        return sample.advice() == null || isStuck ? "" : sample.advice().line();
    }

    private static List<String> stuck(TopologySample sample) {
        List<String> calls = sample.now().calls().stream()
                .sorted(Comparator.comparing(call -> !call.deadlocked()))
                .map(call -> "stuck: " + call.describe())
                .toList();
        return atMost(MAX_CALLS, calls, "calls");
    }

    private List<String> workers(List<WorkerStatus> workers) {
        return WorkerLines.of(workers, zone);
    }

    private List<String> errors(TopologySample sample) {
        List<String> lines = new ArrayList<>();
        String counts = counts(sample, ComponentSnapshot::errors);
        if (!counts.isEmpty()) {
            lines.add("errors: " + counts);
        }
        lastErrors(sample).forEach(error -> lines.add("  " + ErrorLine.of(error, zone)));
        return lines;
    }

    /** {@return the newest error of each kind, newest first} */
    private static List<ErrorReport> lastErrors(TopologySample sample) {
        Map<String, ErrorReport> newest = new LinkedHashMap<>();
        for (ErrorReport error : sample.now().recentErrors()) {
            newest.remove(ErrorLine.kind(error));
            newest.put(ErrorLine.kind(error), error);
        }
        List<ErrorReport> last = new ArrayList<>(newest.values());
        Collections.reverse(last);
        return last.stream().limit(MAX_ERRORS).toList();
    }

    private static String edges(TopologySample sample) {
        return sample.now().edges().stream()
                .filter(EdgeSnapshot::backPressured)
                .map(edge -> edge.from() + " -> " + edge.to()
                        + (edge.stream().equals("default") ? "" : " (" + edge.stream() + ")"))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String counts(TopologySample sample, ToLongFunction<ComponentSnapshot> count) {
        return FlowOrder.of(sample.now()).stream()
                .filter(component -> count.applyAsLong(component) > 0)
                .map(component -> component.id() + " " + QuantityFormat.whole(count.applyAsLong(component)))
                .collect(Collectors.joining(", "));
    }
}
