package io.updraft.cli.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.observe.view.QuantityFormat;
import io.updraft.observe.view.TopologySample.ComponentRates;
import io.updraft.observe.view.TopologySample.ExecutorRates;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The columns of the live table, in the order of the screen. A narrow window keeps the columns with the lowest {@code rank}. */
enum LiveColumn {
    EMITTED(Group.RATES, "emit/s", 6, c -> QuantityFormat.count(c.emitted()), e -> QuantityFormat.count(e.emitted())),
    EXECUTED(Group.RATES, "exec/s", 2, c -> ofBolt(c.now(), c.executed()), e -> QuantityFormat.count(e.executed())),
    ACKED(Group.RATES, "ack/s", 3, c -> QuantityFormat.count(c.acked()), e -> QuantityFormat.count(e.acked())),
    FAILED(Group.RATES, "fail/s", 4, c -> QuantityFormat.count(c.failed()), e -> QuantityFormat.count(e.failed())),
    CAPACITY(Group.RATES, "busy", 1, c -> QuantityFormat.percent(c.capacity()), e -> QuantityFormat.percent(e.busy())),
    WAITING(Group.RATES, "wait", 5, c -> QuantityFormat.count(c.waiting())),
    EXECUTE_P50(Group.EXECUTE, "p50", 9, c -> QuantityFormat.latency(c.execute().p50Nanos())),
    EXECUTE_P99(Group.EXECUTE, "p99", 8, c -> QuantityFormat.latency(c.execute().p99Nanos())),
    COMPLETE_P50(
            Group.COMPLETE, "p50", 10, c -> QuantityFormat.latency(c.complete().p50Nanos())),
    COMPLETE_P99(
            Group.COMPLETE, "p99", 7, c -> QuantityFormat.latency(c.complete().p99Nanos())),
    ALL_EMITTED("emit", c -> total(c.emitted()), ExecutorSnapshot::emitted),
    ALL_EXECUTED("exec", c -> ofBolt(c, c.executed()), ExecutorSnapshot::executed),
    ALL_ACKED("acked", c -> total(c.acked()), ExecutorSnapshot::acked),
    ALL_FAILED("failed", c -> total(c.failed()), ExecutorSnapshot::failed),
    ALL_ERRORS(Group.TOTALS, "errors", 11, c -> total(c.now().errors()));

    /** The largest number of characters of a value. */
    private static final int DIGITS = 5;

    /** The rank of the last column without a group. */
    private static final int UNGROUPED = 6;

    private static final int TOTALS_RANK = 11;

    /** A heading above the headings of several columns. */
    enum Group {
        RATES("", ""),
        EXECUTE("execute", "exec"),
        COMPLETE("complete", "compl"),
        /** Counts since the start of the topology. They are shown all or not at all. */
        TOTALS("since the start", "");

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
    private final Function<ExecutorRates, String> executorValue;

    /** Creates a column without values for single executors. */
    LiveColumn(Group group, String heading, int rank, Function<ComponentRates, String> value) {
        this(group, heading, rank, value, executor -> "");
    }

    LiveColumn(
            String heading, Function<ComponentSnapshot, String> value, ToLongFunction<ExecutorSnapshot> executorValue) {
        this(
                Group.TOTALS,
                heading,
                TOTALS_RANK,
                component -> value.apply(component.now()),
                executor -> total(executorValue.applyAsLong(executor.now())));
    }

    LiveColumn(
            Group group,
            String heading,
            int rank,
            Function<ComponentRates, String> value,
            Function<ExecutorRates, String> executorValue) {
        this.group = group;
        this.heading = heading;
        this.rank = rank;
        this.value = value;
        this.executorValue = executorValue;
    }

    private static String ofBolt(ComponentSnapshot component, double value) {
        return component.spout() ? QuantityFormat.NONE : QuantityFormat.count(value);
    }

    private static String total(long count) {
        return QuantityFormat.count(count);
    }

    String heading() {
        return heading;
    }

    String value(ComponentRates component) {
        return value.apply(component);
    }

    /** {@return the value of an executor; of a spout's executor, the component says that it executes nothing} */
    String value(ExecutorRates executor, ComponentRates component) {
        return value(component).equals(QuantityFormat.NONE) ? "" : executorValue.apply(executor);
    }

    boolean isTotal() {
        return group == Group.TOTALS;
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

    /**
     * {@return the columns that fit, in the order of the screen}
     *
     * @param width the room for columns, in characters
     * @param extra the part of that room that columns of totals must leave free
     * @param grouped whether there is a line for the headings of groups
     */
    static List<LiveColumn> fitting(int width, int extra, boolean grouped) {
        int last = grouped ? TOTALS_RANK : UNGROUPED;
        if (widthOf(last) > width - extra) {
            last = Math.min(last, TOTALS_RANK - 1);
        }
        while (last > 0 && widthOf(last) > width) {
            last--;
        }
        int keep = last;
        return Arrays.stream(values()).filter(column -> column.rank <= keep).toList();
    }

    private static int widthOf(int ranks) {
        return Arrays.stream(values())
                .filter(column -> column.rank <= ranks)
                .mapToInt(LiveColumn::width)
                .sum();
    }
}
