package io.updraft.cli.view;

import io.updraft.cli.view.Line.Style;
import io.updraft.engine.api.ErrorReport;
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
final class LiveFrame {
    private static final int HEADERS = 3;
    private static final int MARK = 2;
    private static final int LEAST_NAME = 9;
    private static final int ERRORS_SHOWN = 3;
    private static final int LOOPS_SHOWN = 4;

    private final int width;
    private final int height;
    private final ZoneId zone;

    /** Creates a frame of at most this width and height, in characters and lines. */
    LiveFrame(int width, int height, ZoneId zone) {
        this.width = width;
        this.height = height;
        this.zone = zone;
    }

    List<Line> draw(Sample sample) {
        List<Line> remarks = remarks(sample);
        List<Line> lines = new ArrayList<>();
        lines.add(title(sample));
        lines.addAll(table(sample, Math.max(1, height - HEADERS - remarks.size())));
        lines.addAll(remarks);
        return lines.stream().limit(height).map(line -> line.fit(width)).toList();
    }

    private static Line title(Sample sample) {
        return new Line(
                sample.name() + "  " + sample.state() + " "
                        + Quantity.clock(sample.now().uptimeNanos()) + "   "
                        + Quantity.count(sample.now().inFlightTrees()) + " trees in flight   loops"
                        + loops(sample.loopBusy()),
                Style.TITLE);
    }

    private static String loops(double[] busy) {
        if (busy.length <= LOOPS_SHOWN) {
            return Arrays.stream(busy)
                    .mapToObj(loop -> " " + Quantity.percent(loop))
                    .collect(Collectors.joining());
        }
        DoubleSummaryStatistics all = Arrays.stream(busy).summaryStatistics();
        return " " + Quantity.percent(all.getMin()) + ".." + Quantity.percent(all.getMax());
    }

    private List<Line> table(Sample sample, int rows) {
        List<Column> columns = Column.fitting(width - MARK - LEAST_NAME);
        int nameWidth = Math.max(
                1, width - MARK - columns.stream().mapToInt(Column::width).sum());
        Optional<Bottleneck> bottleneck = Bottleneck.of(sample);
        List<ComponentRates> components = sample.components();
        int longest = components.stream().mapToInt(c -> c.id().length()).max().orElse(0);
        int name = Math.min(nameWidth, Math.max(LEAST_NAME, longest));
        List<Line> lines = new ArrayList<>();
        List<String> headings = columns.stream().map(Column::heading).toList();
        String groups = row("", "", name, Column.groupHeadings(columns), columns);
        if (!groups.isEmpty()) {
            lines.add(new Line(groups, Style.HEADING));
        }
        lines.add(new Line(row("", "component", name, headings, columns), Style.HEADING));
        int shown = components.size() <= rows ? rows : rows - 1;
        components.stream().limit(shown).forEach(component -> lines.add(row(component, bottleneck, name, columns)));
        if (components.size() > shown) {
            lines.add(Line.plain("  ... and " + (components.size() - shown) + " more components (window too short)"));
        }
        return lines;
    }

    private static Line row(ComponentRates component, Optional<Bottleneck> bottleneck, int name, List<Column> columns) {
        boolean isBottleneck =
                bottleneck.isPresent() && bottleneck.get().componentId().equals(component.id());
        List<String> values =
                columns.stream().map(column -> column.value(component)).toList();
        Style style = isBottleneck ? Style.BOTTLENECK : component.failed() > 0 ? Style.BAD : Style.PLAIN;
        return new Line(row(isBottleneck ? ">" : "", component.id(), name, values, columns), style);
    }

    // Right-aligns each value in its column. A longer value, such as a group's heading, uses the blanks to its left.
    private static String row(String mark, String id, int nameWidth, List<String> values, List<Column> columns) {
        StringBuilder row = new StringBuilder();
        row.append(String.format("%-" + MARK + "s%-" + nameWidth + "s", mark, Line.fit(id, nameWidth)));
        int end = row.length();
        for (int i = 0; i < values.size(); i++) {
            end += columns.get(i).width();
            row.append(" ".repeat(Math.max(0, end - values.get(i).length() - row.length())));
            row.setLength(end - values.get(i).length());
            row.append(values.get(i));
        }
        return row.toString().stripTrailing();
    }

    private List<Line> remarks(Sample sample) {
        List<Line> remarks = new ArrayList<>();
        Bottleneck.of(sample)
                .ifPresent(found -> remarks.add(new Line("bottleneck: " + found.verdict(), Style.BOTTLENECK)));
        WorkerLines.of(sample.workers(), zone).forEach(line -> remarks.add(Line.plain(line)));
        add(remarks, "back-pressured: ", edges(sample), Style.PLAIN);
        add(remarks, "blocking (own thread): ", counts(sample, ComponentSnapshot::ownThreads), Style.PLAIN);
        add(remarks, "timed out since the start: ", counts(sample, ComponentSnapshot::timedOut), Style.BAD);
        add(remarks, "dead-lettered: ", counts(sample, ComponentSnapshot::deadLettered), Style.BAD);
        add(remarks, "restarts: ", counts(sample, ComponentSnapshot::restarts), Style.BAD);
        add(remarks, "errors: ", counts(sample, ComponentSnapshot::errors), Style.BAD);
        lastErrors(sample).forEach(error -> remarks.add(new Line("  " + ErrorLine.of(error, zone), Style.BAD)));
        return remarks;
    }

    /** {@return the newest error of each kind, oldest first} */
    private static List<ErrorReport> lastErrors(Sample sample) {
        Map<String, ErrorReport> newest = new LinkedHashMap<>();
        for (ErrorReport error : sample.now().recentErrors()) {
            newest.remove(ErrorLine.kind(error));
            newest.put(ErrorLine.kind(error), error);
        }
        return newest.values().stream()
                .skip(Math.max(0, newest.size() - ERRORS_SHOWN))
                .toList();
    }

    private static void add(List<Line> remarks, String what, String where, Style style) {
        if (!where.isEmpty()) {
            remarks.add(new Line(what + where, style));
        }
    }

    private static String edges(Sample sample) {
        return sample.now().edges().stream()
                .filter(EdgeSnapshot::backPressured)
                .map(edge -> edge.from() + " -> " + edge.to()
                        + (edge.stream().equals("default") ? "" : " (" + edge.stream() + ")"))
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String counts(Sample sample, ToLongFunction<ComponentSnapshot> count) {
        return FlowOrder.of(sample.now()).stream()
                .filter(component -> count.applyAsLong(component) > 0)
                .map(component -> component.id() + " " + Quantity.whole(count.applyAsLong(component)))
                .collect(Collectors.joining(", "));
    }
}
