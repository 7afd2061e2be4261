package io.updraft.cli.view;

import io.updraft.cli.terminal.TerminalLine;
import io.updraft.cli.terminal.TerminalLine.Style;
import io.updraft.cli.view.TopologySample.ComponentRates;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.CallInProgress;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Draws one topology as a block of lines: a title, a row for each component, and below them remarks on problems.
 *
 * <pre>
 *   wordcount  running 00:01:23   4.10k trees in flight   loops 98% 97%
 *     component        emit/s exec/s ack/s fail/s  busy  wait  ex50  ex99  co50  co99
 *     lines            ...
 *   &gt; count            ...                                  the bottleneck is marked
 *   bottleneck: count: 99% busy, holds back split, 8.19k queued
 * </pre>
 */
public final class LiveFrame {
    private static final int HEADERS = 3;
    private static final int MARK_WIDTH = 2;
    private static final int MIN_NAME_WIDTH = 9;
    private static final int MAX_ERRORS = 3;
    private static final int MAX_CALLS = 3;
    private static final int MAX_HOT_KEYS = 3;
    private static final int MAX_LOOPS = 4;

    private final int width;
    private final int height;
    private final ZoneId zone;

    /** Creates a frame of at most this width and height, in characters and lines. */
    LiveFrame(int width, int height, ZoneId zone) {
        this.width = width;
        this.height = height;
        this.zone = zone;
    }

    /** Draws topologies below each other into a window of this width and height; each gets the same part of the height. */
    public static List<TerminalLine> drawAll(List<TopologySample> samples, int width, int height, ZoneId zone) {
        int rows = Math.max(2, height / Math.max(1, samples.size()));
        List<TerminalLine> lines = new ArrayList<>();
        for (TopologySample sample : samples) {
            lines.addAll(new LiveFrame(width, rows, zone).draw(sample));
        }
        return lines.stream().limit(Math.max(1, height)).toList();
    }

    List<TerminalLine> draw(TopologySample sample) {
        List<TerminalLine> remarks = remarks(sample);
        List<TerminalLine> lines = new ArrayList<>();
        lines.add(title(sample));
        lines.addAll(table(sample, Math.max(1, height - HEADERS - remarks.size())));
        lines.addAll(remarks);
        return lines.stream().limit(height).map(line -> line.fit(width)).toList();
    }

    private static TerminalLine title(TopologySample sample) {
        return new TerminalLine(
                sample.name() + "  " + sample.state() + " "
                        + QuantityFormat.clock(sample.now().uptimeNanos()) + "   "
                        + QuantityFormat.count(sample.now().inFlightTrees()) + " trees in flight   loops"
                        + loops(sample.loopBusy()),
                Style.TITLE);
    }

    private static String loops(double[] busy) {
        if (busy.length <= MAX_LOOPS) {
            return Arrays.stream(busy)
                    .mapToObj(loop -> " " + QuantityFormat.percent(loop))
                    .collect(Collectors.joining());
        }
        DoubleSummaryStatistics all = Arrays.stream(busy).summaryStatistics();
        return " " + QuantityFormat.percent(all.getMin()) + ".." + QuantityFormat.percent(all.getMax());
    }

    private List<TerminalLine> table(TopologySample sample, int rows) {
        List<LiveColumn> columns = LiveColumn.fitting(width - MARK_WIDTH - MIN_NAME_WIDTH);
        int nameWidth = Math.max(
                1,
                width
                        - MARK_WIDTH
                        - columns.stream().mapToInt(LiveColumn::width).sum());
        Optional<Bottleneck> bottleneck = Bottleneck.of(sample);
        List<ComponentRates> components = sample.components();
        int longest = components.stream().mapToInt(c -> c.id().length()).max().orElse(0);
        int name = Math.min(nameWidth, Math.max(MIN_NAME_WIDTH, longest));
        List<TerminalLine> lines = new ArrayList<>();
        List<String> headings = columns.stream().map(LiveColumn::heading).toList();
        String groups = row("", "", name, LiveColumn.groupHeadings(columns), columns);
        if (!groups.isEmpty()) {
            lines.add(new TerminalLine(groups, Style.HEADING));
        }
        lines.add(new TerminalLine(row("", "component", name, headings, columns), Style.HEADING));
        int shown = components.size() <= rows ? rows : rows - 1;
        components.stream().limit(shown).forEach(component -> lines.add(row(component, bottleneck, name, columns)));
        if (components.size() > shown) {
            lines.add(TerminalLine.plain(
                    "  ... and " + (components.size() - shown) + " more components (window too short)"));
        }
        return lines;
    }

    private static TerminalLine row(
            ComponentRates component, Optional<Bottleneck> bottleneck, int name, List<LiveColumn> columns) {
        boolean isBottleneck =
                bottleneck.isPresent() && bottleneck.get().componentId().equals(component.id());
        List<String> values =
                columns.stream().map(column -> column.value(component)).toList();
        Style style = isBottleneck ? Style.BOTTLENECK : component.failed() > 0 ? Style.BAD : Style.PLAIN;
        return new TerminalLine(row(isBottleneck ? ">" : "", component.id(), name, values, columns), style);
    }

    // Right-aligns each value in its column. A longer value, such as a group's heading, uses the blanks to its left.
    private static String row(String mark, String id, int nameWidth, List<String> values, List<LiveColumn> columns) {
        StringBuilder row = new StringBuilder();
        row.append(String.format("%-" + MARK_WIDTH + "s%-" + nameWidth + "s", mark, TerminalLine.fit(id, nameWidth)));
        int end = row.length();
        for (int i = 0; i < values.size(); i++) {
            end += columns.get(i).width();
            row.append(" ".repeat(Math.max(0, end - values.get(i).length() - row.length())));
            row.setLength(end - values.get(i).length());
            row.append(values.get(i));
        }
        return row.toString().stripTrailing();
    }

    private List<TerminalLine> remarks(TopologySample sample) {
        List<TerminalLine> remarks = new ArrayList<>(stuck(sample));
        Bottleneck.of(sample)
                .ifPresent(found -> remarks.add(new TerminalLine("bottleneck: " + found.verdict(), Style.BOTTLENECK)));
        add(remarks, "advice: ", sample.advice() == null ? "" : sample.advice().line(), Style.PLAIN);
        HotKeyLines.of(sample).stream()
                .limit(MAX_HOT_KEYS)
                .forEach(line -> remarks.add(new TerminalLine(line, Style.BOTTLENECK)));
        WorkerLines.of(sample.workers(), zone).forEach(line -> remarks.add(TerminalLine.plain(line)));
        add(remarks, "back-pressured: ", edges(sample), Style.PLAIN);
        add(remarks, "blocking (own thread): ", counts(sample, ComponentSnapshot::ownThreads), Style.PLAIN);
        add(remarks, "never acked: ", TupleHolders.neverAcked(sample), Style.BAD);
        add(remarks, "timed out since the start: ", TupleHolders.timedOut(sample.now()), Style.BAD);
        add(remarks, "dead-lettered: ", counts(sample, ComponentSnapshot::deadLettered), Style.BAD);
        add(remarks, "restarts: ", counts(sample, ComponentSnapshot::restarts), Style.BAD);
        add(remarks, "errors: ", counts(sample, ComponentSnapshot::errors), Style.BAD);
        lastErrors(sample).forEach(error -> remarks.add(new TerminalLine("  " + ErrorLine.of(error, zone), Style.BAD)));
        return remarks;
    }

    private static List<TerminalLine> stuck(TopologySample sample) {
        List<CallInProgress> calls = sample.now().calls();
        List<TerminalLine> lines = new ArrayList<>();
        calls.stream()
                .limit(MAX_CALLS)
                .forEach(call -> lines.add(new TerminalLine("stuck: " + call.describe(), Style.BAD)));
        if (calls.size() > MAX_CALLS) {
            lines.add(new TerminalLine("  ... and " + (calls.size() - MAX_CALLS) + " more calls", Style.BAD));
        }
        return lines;
    }

    /** {@return the newest error of each kind, oldest first} */
    private static List<ErrorReport> lastErrors(TopologySample sample) {
        Map<String, ErrorReport> newest = new LinkedHashMap<>();
        for (ErrorReport error : sample.now().recentErrors()) {
            newest.remove(ErrorLine.kind(error));
            newest.put(ErrorLine.kind(error), error);
        }
        return newest.values().stream()
                .skip(Math.max(0, newest.size() - MAX_ERRORS))
                .toList();
    }

    private static void add(List<TerminalLine> remarks, String what, String where, Style style) {
        if (!where.isEmpty()) {
            remarks.add(new TerminalLine(what + where, style));
        }
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

    /**
     * The columns of the live table, in the order of the screen. A narrow window keeps the columns with the lowest {@code rank}.
     */
    enum LiveColumn {
        EMITTED(Group.NONE, "emit/s", 6, c -> QuantityFormat.count(c.emitted())),
        EXECUTED(
                Group.NONE,
                "exec/s",
                2,
                c -> c.now().spout() ? QuantityFormat.NONE : QuantityFormat.count(c.executed())),
        ACKED(Group.NONE, "ack/s", 3, c -> QuantityFormat.count(c.acked())),
        FAILED(Group.NONE, "fail/s", 4, c -> QuantityFormat.count(c.failed())),
        CAPACITY(Group.NONE, "busy", 1, c -> QuantityFormat.percent(c.capacity())),
        WAITING(Group.NONE, "wait", 5, c -> QuantityFormat.count(c.waiting())),
        EXECUTE_P50(
                Group.EXECUTE, "p50", 9, c -> QuantityFormat.latency(c.execute().p50Nanos())),
        EXECUTE_P99(
                Group.EXECUTE, "p99", 8, c -> QuantityFormat.latency(c.execute().p99Nanos())),
        COMPLETE_P50(
                Group.COMPLETE,
                "p50",
                10,
                c -> QuantityFormat.latency(c.complete().p50Nanos())),
        COMPLETE_P99(
                Group.COMPLETE,
                "p99",
                7,
                c -> QuantityFormat.latency(c.complete().p99Nanos()));

        /** The largest number of characters of a value. */
        private static final int DIGITS = 5;

        /** A heading above the headings of several columns. */
        enum Group {
            NONE("", ""),
            EXECUTE("execute", "exec"),
            COMPLETE("complete", "compl");

            private final String heading;
            private final String shortHeading;

            Group(String heading, String shortHeading) {
                this.heading = heading;
                this.shortHeading = shortHeading;
            }

            private String headingFor(int columns) {
                return columns > 1 ? heading : shortHeading;
            }
        }

        private final Group group;
        private final String heading;
        private final int rank;
        private final Function<ComponentRates, String> value;

        LiveColumn(Group group, String heading, int rank, Function<ComponentRates, String> value) {
            this.group = group;
            this.heading = heading;
            this.rank = rank;
            this.value = value;
        }

        String heading() {
            return heading;
        }

        String value(ComponentRates component) {
            return value.apply(component);
        }

        /** {@return the width of the column in characters, including the gap before it} */
        int width() {
            return 1 + Math.max(DIGITS, heading.length());
        }

        /** {@return the group heading above each column: the group's name above the last column of a group, else an empty text} */
        static List<String> groupHeadings(List<LiveColumn> columns) {
            return columns.stream()
                    .map(column -> isLastOfGroup(column, columns)
                            ? column.group.headingFor(sizeOf(column.group, columns))
                            : "")
                    .toList();
        }

        private static boolean isLastOfGroup(LiveColumn column, List<LiveColumn> columns) {
            int next = columns.indexOf(column) + 1;
            return next == columns.size() || columns.get(next).group != column.group;
        }

        private static int sizeOf(Group group, List<LiveColumn> columns) {
            return (int)
                    columns.stream().filter(column -> column.group == group).count();
        }

        /** {@return the columns that fit into a width in characters, in the order of the screen} */
        static List<LiveColumn> fitting(int width) {
            int keep = values().length;
            while (keep > 0 && widthOf(keep) > width) {
                keep--;
            }
            int last = keep;
            return List.of(values()).stream()
                    .filter(column -> column.rank <= last)
                    .toList();
        }

        private static int widthOf(int ranks) {
            return Arrays.stream(values())
                    .filter(column -> column.rank <= ranks)
                    .mapToInt(LiveColumn::width)
                    .sum();
        }
    }
}
