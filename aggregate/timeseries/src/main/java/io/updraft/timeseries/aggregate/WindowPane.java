package io.updraft.timeseries.aggregate;

/** The groups of the records of a time interval that belongs to one window, or to the same windows. One thread only. */
final class WindowPane {

    final long start;
    final long end;
    /** The end of the latest window that contains the pane. */
    final long lastWindowEnd;

    GroupTable table;
    /** The aggregator's row count when a row was last added. */
    long changed;
    /** Whether some groups of the pane are on disk. */
    boolean spilled;

    WindowPane(long start, long end, long lastWindowEnd, GroupTable table) {
        this.start = start;
        this.end = end;
        this.lastWindowEnd = lastWindowEnd;
        this.table = table;
    }

    boolean holds(long time) {
        return time >= start && time < end;
    }
}
