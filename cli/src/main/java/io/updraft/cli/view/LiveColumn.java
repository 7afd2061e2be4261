package io.updraft.cli.view;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The columns of the live table, in the order of the screen. A narrow window keeps the columns with the lowest {@code rank}.
 */
enum LiveColumn {
    /** Tuples emitted per second. */
    EMITTED(Group.NONE, "emit/s", 6, c -> QuantityFormat.count(c.emitted())),
    /** Tuples executed per second. */
    EXECUTED(Group.NONE, "exec/s", 2, c -> c.now().spout() ? QuantityFormat.NONE : QuantityFormat.count(c.executed())),
    /** Tuples, or a spout's tuple trees, acked per second. */
    ACKED(Group.NONE, "ack/s", 3, c -> QuantityFormat.count(c.acked())),
    /** Tuples, or a spout's tuple trees, failed per second. */
    FAILED(Group.NONE, "fail/s", 4, c -> QuantityFormat.count(c.failed())),
    /** Share of time that the executors are busy. */
    CAPACITY(Group.NONE, "busy", 1, c -> QuantityFormat.percent(c.capacity())),
    /** Tuples queued for a bolt, or tuple trees in flight of a spout. */
    WAITING(Group.NONE, "wait", 5, c -> QuantityFormat.count(c.waiting())),
    /** Median time in execute. */
    EXECUTE_P50(Group.EXECUTE, "p50", 9, c -> QuantityFormat.latency(c.execute().p50Nanos())),
    /** 99th percentile of the time in execute. */
    EXECUTE_P99(Group.EXECUTE, "p99", 8, c -> QuantityFormat.latency(c.execute().p99Nanos())),
    /** Median time to complete a tuple tree. */
    COMPLETE_P50(
            Group.COMPLETE, "p50", 10, c -> QuantityFormat.latency(c.complete().p50Nanos())),
    /** 99th percentile of the time to complete a tuple tree. */
    COMPLETE_P99(
            Group.COMPLETE, "p99", 7, c -> QuantityFormat.latency(c.complete().p99Nanos()));

    /** The largest number of characters of a value. */
    private static final int DIGITS = 5;

    /** A heading above the headings of several columns. */
    enum Group {
        /** No heading. */
        NONE("", ""),
        /** Time in {@code execute} or {@code nextTuple}. */
        EXECUTE("execute", "exec"),
        /** Time from a spout's emit to the end of the tuple tree. */
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
                .map(column ->
                        isLastOfGroup(column, columns) ? column.group.headingFor(sizeOf(column.group, columns)) : "")
                .toList();
    }

    private static boolean isLastOfGroup(LiveColumn column, List<LiveColumn> columns) {
        int next = columns.indexOf(column) + 1;
        return next == columns.size() || columns.get(next).group != column.group;
    }

    private static int sizeOf(Group group, List<LiveColumn> columns) {
        return (int) columns.stream().filter(column -> column.group == group).count();
    }

    /** {@return the columns that fit into a width in characters, in the order of the screen} */
    static List<LiveColumn> fitting(int width) {
        int keep = values().length;
        while (keep > 0 && widthOf(keep) > width) {
            keep--;
        }
        int last = keep;
        return List.of(values()).stream().filter(column -> column.rank <= last).toList();
    }

    private static int widthOf(int ranks) {
        return Arrays.stream(values())
                .filter(column -> column.rank <= ranks)
                .mapToInt(LiveColumn::width)
                .sum();
    }
}
