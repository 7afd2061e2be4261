package io.updraft.cli.view;

import io.updraft.cli.view.TerminalLine.Style;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.observe.view.QuantityFormat;
import io.updraft.observe.view.Remarks;
import io.updraft.observe.view.TopologyRemarks;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Draws one topology as a block of lines: a title, a row for each component, and below them remarks on problems.
 *
 * <pre>
 *   wordcount  running 00:01:23   4.10k trees in flight   loops 98% 97%
 *   since the start: 99,400,000 acked, 0 failed, 0 errors
 *     component        emit/s exec/s ack/s fail/s  busy  wait  p50  p99  p50  p99
 *     lines            ...
 *   &gt; count            ...                                  the bottleneck is marked
 *       task 3         ...                                  its executors, if there is room
 *   bottleneck: count: 99% busy, holds back split, 8.19k queued
 * </pre>
 *
 * A window that is too short keeps the bottleneck's row. At least half of the lines below the headings are for the table.
 */
final class LiveFrame {
    /** Fewer lines show the title and remarks. */
    private static final int MIN_HEIGHT_OF_TABLE = 3;

    /** From this height on, a line is spent for the headings of groups of columns. */
    private static final int MIN_HEIGHT_OF_GROUPS = 8;

    /** From this height on, a line is spent for the totals. */
    private static final int MIN_HEIGHT_OF_TOTALS = 12;

    /** As many executors may fill the window. More of them take at most half of the spare lines. */
    private static final int FEW_EXECUTORS = 6;

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
        int shown = 2 * samples.size() <= height ? samples.size() : Math.max(1, (height - 1) / 2);
        List<TerminalLine> lines = new ArrayList<>();
        int left = shown < samples.size() ? height - 1 : height;
        for (int i = 0; i < Math.min(shown, samples.size()); i++) {
            // What a topology does not need is for the next ones.
            List<TerminalLine> frame = new LiveFrame(width, left / (shown - i), zone).draw(samples.get(i));
            left -= frame.size();
            lines.addAll(frame);
        }
        if (shown < samples.size()) {
            lines.add(TerminalLine.plain("... " + (samples.size() - shown) + " more topologies; updraft ps")
                    .fit(width));
        }
        return lines.stream().limit(Math.max(1, height)).toList();
    }

    List<TerminalLine> draw(TopologySample sample) {
        Remarks found = TopologyRemarks.of(sample, zone);
        LiveTable table = new LiveTable(sample, found, width, height >= MIN_HEIGHT_OF_GROUPS);
        LiveRemarks remarks = new LiveRemarks(found.lines());
        List<TerminalLine> lines = new ArrayList<>();
        lines.add(title(sample));
        if (height < MIN_HEIGHT_OF_TABLE) {
            lines.addAll(remarks.mostImportant(height - 1, width));
        } else {
            addTable(lines, sample, table, remarks);
        }
        return lines.stream().limit(height).map(line -> line.fit(width)).toList();
    }

    private void addTable(List<TerminalLine> lines, TopologySample sample, LiveTable table, LiveRemarks remarks) {
        if (height >= MIN_HEIGHT_OF_TOTALS && !table.hasTotals()) {
            lines.add(totals(sample));
        }
        lines.addAll(table.headings());
        int spare = height - lines.size() - table.size() - remarks.size();
        if (spare >= 0) {
            addAll(lines, table, remarks, spare);
        } else {
            addSome(lines, table, remarks, height - lines.size());
        }
    }

    /** Adds everything. The spare lines are for long remarks, then for executors. */
    private void addAll(List<TerminalLine> lines, LiveTable table, LiveRemarks remarks, int spare) {
        List<TerminalLine> below = remarks.all(width, spare);
        int left = spare - (below.size() - remarks.size());
        // Leaves lines of the terminal for the program's output.
        lines.addAll(table.all(Math.max(left / 2, Math.min(left, FEW_EXECUTORS))));
        lines.addAll(below);
    }

    private void addSome(List<TerminalLine> lines, LiveTable table, LiveRemarks remarks, int room) {
        int forTable = Math.min(table.size(), (room + 1) / 2);
        List<TerminalLine> below = remarks.mostImportant(room - forTable, width);
        if (room > below.size()) {
            lines.addAll(table.mostUrgent(room - below.size()));
        }
        lines.addAll(below);
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

    private static TerminalLine totals(TopologySample sample) {
        List<ComponentSnapshot> all = sample.now().components();
        List<ComponentSnapshot> spouts =
                all.stream().filter(ComponentSnapshot::spout).toList();
        return TerminalLine.plain("since the start: " + sum(spouts, ComponentSnapshot::acked) + " acked, "
                + sum(spouts, ComponentSnapshot::failed) + " failed, " + sum(all, ComponentSnapshot::errors)
                + " errors");
    }

    private static String sum(List<ComponentSnapshot> components, ToLongFunction<ComponentSnapshot> count) {
        return QuantityFormat.whole(components.stream().mapToLong(count).sum());
    }
}
