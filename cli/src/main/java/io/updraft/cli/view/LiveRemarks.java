package io.updraft.cli.view;

import io.updraft.cli.terminal.TerminalLine;
import io.updraft.cli.terminal.TerminalLine.Style;
import io.updraft.cluster.coordinator.WorkerStatus;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The remarks on problems below the live table. Remarks of one kind are a group; the most important group comes first. A window
 * that is too short shows the first line of each group before the second line of any.
 */
final class LiveRemarks {
    private static final int MAX_ERRORS = 3;
    private static final int MAX_CALLS = 3;
    private static final int MAX_HOT_KEYS = 3;
    private static final int MAX_WRAPPED = 3;

    private final ZoneId zone;
    private final List<Remark> remarks = new ArrayList<>();
    private int groups;

    LiveRemarks(TopologySample sample, ZoneId zone) {
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

    /** A line, with its place among the groups and within its group. */
    private record Remark(int group, int place, TerminalLine line) {}

    private void add(String what, String where, Style style) {
        add(where.isEmpty() ? List.of() : List.of(what + where), style);
    }

    private void add(List<String> group, Style style) {
        for (int place = 0; place < group.size(); place++) {
            remarks.add(new Remark(groups, place, new TerminalLine(group.get(place), style)));
        }
        groups++;
    }

    /** {@return all remarks as JSON objects with {@code text} and {@code style}} */
    List<Map<String, Object>> json() {
        return remarks.stream()
                .map(remark -> Map.<String, Object>of(
                        "text",
                        remark.line().text(),
                        "style",
                        remark.line().style().name().toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** {@return the number of all remarks, each in one line} */
    int size() {
        return remarks.size();
    }

    /** {@return all remarks. Long ones continue on the next line, as long as there are spare lines} */
    List<TerminalLine> all(int width, int spare) {
        List<TerminalLine> lines = new ArrayList<>();
        int left = spare;
        for (Remark remark : remarks) {
            List<TerminalLine> wrapped = remark.line().wrap(width, 1 + Math.max(0, Math.min(MAX_WRAPPED - 1, left)));
            left -= wrapped.size() - 1;
            lines.addAll(wrapped);
        }
        return lines;
    }

    /** {@return at most this number of lines: all remarks, or the most important ones and how many are left out} */
    List<TerminalLine> mostImportant(int lines, int width) {
        if (remarks.size() <= lines) {
            return all(width, lines - remarks.size());
        }
        if (lines <= 1) {
            String more = " (+" + (remarks.size() - 1) + " more)";
            return remarks.stream()
                    .limit(lines)
                    .map(Remark::line)
                    .map(line ->
                            new TerminalLine(TerminalLine.fit(line.text(), width - more.length()) + more, line.style()))
                    .toList();
        }
        List<TerminalLine> shown = remarks.stream()
                .sorted(Comparator.comparing(Remark::place).thenComparing(Remark::group))
                .limit(lines - 1L)
                .sorted(Comparator.comparing(Remark::group).thenComparing(Remark::place))
                .map(Remark::line)
                .collect(Collectors.toCollection(ArrayList::new));
        shown.add(TerminalLine.plain(
                "... " + (remarks.size() - lines + 1) + " more remarks; updraft errors, updraft ps"));
        return shown;
    }

    private static List<String> atMost(int limit, List<String> lines, String what) {
        if (lines.size() <= limit) {
            return lines;
        }
        List<String> shown = new ArrayList<>(lines.subList(0, limit));
        shown.add("  ... and " + (lines.size() - limit) + " more " + what);
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
