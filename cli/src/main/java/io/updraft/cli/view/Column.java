package io.updraft.cli.view;

import java.util.List;
import java.util.function.Function;

/**
 * The columns of the live table. The constants are in the order of the screen; {@code rank} tells which ones a narrow
 * window keeps, the lowest first.
 */
enum Column {
    /** Tuples emitted per second. */
    EMITTED("emit/s", 6, c -> Quantity.count(c.emitted())),
    /** Tuples executed per second. */
    EXECUTED("exec/s", 2, c -> c.now().spout() ? Quantity.NONE : Quantity.count(c.executed())),
    /** Tuples, or a spout's tuple trees, acked per second. */
    ACKED("ack/s", 3, c -> Quantity.count(c.acked())),
    /** Tuples, or a spout's tuple trees, failed per second. */
    FAILED("fail/s", 4, c -> Quantity.count(c.failed())),
    /** Busy share of the executors. */
    CAPACITY("busy", 1, c -> Quantity.percent(c.capacity())),
    /** Tuples waiting for the component, or tuple trees in flight of a spout. */
    WAITING("wait", 5, c -> Quantity.count(c.now().spout() ? c.now().inFlight() : c.now().queued())),
    /** Median time in execute. */
    EXECUTE_P50("ex50", 9, c -> Quantity.latency(c.now().executeLatency().p50Nanos())),
    /** 99th percentile of the time in execute. */
    EXECUTE_P99("ex99", 8, c -> Quantity.latency(c.now().executeLatency().p99Nanos())),
    /** Median time to complete a tuple tree. */
    COMPLETE_P50("co50", 10, c -> Quantity.latency(c.now().completeLatency().p50Nanos())),
    /** 99th percentile of the time to complete a tuple tree. */
    COMPLETE_P99("co99", 7, c -> Quantity.latency(c.now().completeLatency().p99Nanos()));

    /** A value has at most this many characters. */
    private static final int DIGITS = 5;

    private final String heading;
    private final int rank;
    private final Function<ComponentRates, String> value;

    Column(String heading, int rank, Function<ComponentRates, String> value) {
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

    /** {@return characters of the column, the gap before it included} */
    int width() {
        return 1 + Math.max(DIGITS, heading.length());
    }

    /** {@return the columns that fit, in the order of the screen} */
    static List<Column> fitting(int width) {
        int keep = values().length;
        while (keep > 0 && widthOf(keep) > width) {
            keep--;
        }
        int last = keep;
        return List.of(values()).stream().filter(column -> column.rank <= last).toList();
    }

    private static int widthOf(int ranks) {
        int width = 0;
        for (Column column : values()) {
            width += column.rank <= ranks ? column.width() : 0;
        }
        return width;
    }
}
