package io.updraft.cli.view;

import io.updraft.cli.view.TerminalLine.Style;
import io.updraft.observe.view.QuantityFormat;
import io.updraft.observe.view.Remarks;
import io.updraft.observe.view.TopologySample;
import io.updraft.observe.view.TopologySample.ComponentRates;
import io.updraft.observe.view.TopologySample.ExecutorRates;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The table of the live view: a row for each component, in the order of the streams. A window that is too short shows the most
 * urgent components, and a line in each place where others are left out. With room to spare, the executors of components in
 * trouble have rows, too.
 */
final class LiveTable {
    private static final int MARK_WIDTH = 2;
    private static final int MIN_NAME_WIDTH = 9;

    /** The part of a name that must be visible before columns of totals are shown. */
    private static final int NAME_WIDTH_BESIDE_TOTALS = 24;

    private final List<ComponentRates> components;
    private final Map<String, Urgency> urgencies;
    private final List<Integer> mostUrgentFirst;
    private final List<LiveColumn> columns;
    private final int nameWidth;

    /** Creates a table of at most this width in characters. If it is {@code grouped}, it may have a second line of headings. */
    LiveTable(TopologySample sample, Remarks remarks, int width, boolean grouped) {
        components = sample.components();
        urgencies = Urgency.of(sample, remarks);
        mostUrgentFirst = IntStream.range(0, components.size())
                .boxed()
                .sorted(Comparator.comparing((Integer index) -> urgency(components.get(index)))
                        .thenComparing(index -> -tenths(components.get(index).capacity())))
                .toList();
        int longest = components.stream()
                .mapToInt(component -> TerminalLine.width(component.id()))
                .reduce(MIN_NAME_WIDTH, Math::max);
        int extra = Math.min(longest, NAME_WIDTH_BESIDE_TOTALS) - MIN_NAME_WIDTH;
        columns = LiveColumn.fitting(width - MARK_WIDTH - MIN_NAME_WIDTH, extra, grouped);
        int room = width
                - MARK_WIDTH
                - columns.stream().mapToInt(LiveColumn::width).sum();
        nameWidth = Math.max(1, Math.min(room, longest));
    }

    /** Rounds a busy share, so that the choice among those that are about as busy does not change every second. */
    private static long tenths(double busy) {
        return Math.round(busy * 10);
    }

    int size() {
        return components.size();
    }

    boolean hasTotals() {
        return columns.stream().anyMatch(LiveColumn::isTotal);
    }

    List<TerminalLine> headings() {
        List<TerminalLine> lines = new ArrayList<>();
        TerminalLine groups = line("", "", LiveColumn.groupHeadings(columns), Style.HEADING);
        if (!groups.text().isEmpty()) {
            lines.add(groups);
        }
        lines.add(
                line("", "component", columns.stream().map(LiveColumn::heading).toList(), Style.HEADING));
        return lines;
    }

    /** {@return a row for each component, and below components in trouble at most {@code spare} rows of executors} */
    List<TerminalLine> all(int spare) {
        Map<ComponentRates, List<TerminalLine>> executors = new HashMap<>();
        int left = spare;
        for (int index : mostUrgentFirst) {
            ComponentRates component = components.get(index);
            List<TerminalLine> rows = executorRows(component, left);
            executors.put(component, rows);
            left -= rows.size();
        }
        List<TerminalLine> lines = new ArrayList<>();
        for (ComponentRates component : components) {
            lines.add(row(component));
            lines.addAll(executors.get(component));
        }
        return lines;
    }

    /** {@return the most urgent rows, and lines that say how many are left out; at most this number of lines, which is not 0} */
    List<TerminalLine> mostUrgent(int lines) {
        if (components.size() <= lines) {
            return all(0);
        }
        BitSet shown = new BitSet();
        for (int index : mostUrgentFirst) {
            shown.set(index);
            if (shown.cardinality() > 1 && linesOf(shown) > lines) {
                shown.clear(index);
            }
        }
        return linesOf(shown) <= lines ? elided(shown) : withOneGap(shown.nextSetBit(0), lines);
    }

    /** Draws one row and, if there is a line for it, the number of all the others: too few lines to show where they are. */
    private List<TerminalLine> withOneGap(int only, int lines) {
        List<ComponentRates> omitted = new ArrayList<>(components);
        ComponentRates shown = omitted.remove(only);
        return lines < 2 ? List.of(row(shown)) : List.of(row(shown), gap(omitted));
    }

    private int linesOf(BitSet shown) {
        int gaps = 0;
        for (int gap = shown.nextClearBit(0); gap < components.size(); gap = shown.nextClearBit(end(shown, gap))) {
            gaps++;
        }
        return shown.cardinality() + gaps;
    }

    private List<TerminalLine> elided(BitSet shown) {
        List<TerminalLine> lines = new ArrayList<>();
        for (int index = 0; index < components.size(); index = end(shown, index)) {
            int end = end(shown, index);
            // The line that says that one row is left out would take the room of the row.
            boolean isRow = shown.get(index) || end == index + 1;
            lines.add(isRow ? row(components.get(index)) : gap(components.subList(index, end)));
        }
        return lines;
    }

    /** Returns the index after a row, or after the gap that begins there. */
    private int end(BitSet shown, int index) {
        int next = shown.nextSetBit(index);
        return next == index ? index + 1 : next < 0 ? components.size() : next;
    }

    private TerminalLine gap(List<ComponentRates> leftOut) {
        long troubled = leftOut.stream()
                .filter(component -> urgency(component).isTrouble())
                .count();
        return new TerminalLine(
                "  " + more(leftOut, ComponentRates::capacity)
                        + (troubled > 0 ? ", " + troubled + " of them in trouble" : ""),
                troubled > 0 ? Style.BAD : Style.PLAIN);
    }

    private static <T> String more(List<T> leftOut, Function<T, Double> busy) {
        return "... " + leftOut.size() + " more, at most "
                + QuantityFormat.percent(leftOut.stream().map(busy).reduce(0.0, Math::max)) + " busy";
    }

    private TerminalLine row(ComponentRates component) {
        Urgency urgency = urgency(component);
        Style style = urgency == Urgency.BOTTLENECK
                ? Style.BOTTLENECK
                : urgency.mark().isEmpty() ? Style.PLAIN : Style.BAD;
        return line(
                urgency.mark(),
                component.id(),
                columns.stream().map(column -> column.value(component)).toList(),
                style);
    }

    /** Draws the busiest executors of a component in trouble, by task; none if it has one executor or there is no room. */
    private List<TerminalLine> executorRows(ComponentRates component, int room) {
        List<ExecutorRates> executors = component.executors();
        if (!urgency(component).isTrouble() || executors.size() < 2 || room < 2) {
            return List.of();
        }
        List<ExecutorRates> busiest = executors.stream()
                .sorted(Comparator.comparing(executor -> -tenths(executor.busy())))
                .toList();
        int shown = executors.size() <= room ? executors.size() : room - 1;
        List<TerminalLine> lines = new ArrayList<>();
        busiest.stream()
                .limit(shown)
                .sorted(Comparator.comparing(executor -> executor.now().firstTask()))
                .forEach(executor -> lines.add(row(executor, component)));
        if (shown < executors.size()) {
            lines.add(TerminalLine.plain("    " + more(busiest.subList(shown, busiest.size()), ExecutorRates::busy)));
        }
        return lines;
    }

    private TerminalLine row(ExecutorRates executor, ComponentRates component) {
        return line(
                "",
                "  task " + executor.now().firstTask(),
                columns.stream()
                        .map(column -> column.value(executor, component))
                        .toList(),
                Style.PLAIN);
    }

    private Urgency urgency(ComponentRates component) {
        return urgencies.get(component.id());
    }

    private TerminalLine line(String mark, String name, List<String> values, Style style) {
        String text = TerminalLine.pad(mark, MARK_WIDTH) + TerminalLine.pad(name, nameWidth) + cells(values);
        return new TerminalLine(text.stripTrailing(), style);
    }

    // Right-aligns each value in its column. A longer value, such as a group's heading, uses the blanks to its left.
    private String cells(List<String> values) {
        StringBuilder cells = new StringBuilder();
        int end = 0;
        for (int i = 0; i < values.size(); i++) {
            end += columns.get(i).width();
            String value = TerminalLine.fit(values.get(i), end);
            cells.append(" ".repeat(Math.max(0, end - value.length() - cells.length())));
            cells.setLength(end - value.length());
            cells.append(value);
        }
        return cells.toString();
    }
}
