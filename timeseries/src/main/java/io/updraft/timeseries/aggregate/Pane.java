package io.updraft.timeseries.aggregate;

/** The groups of the records of a stretch of time that lies in one window, or in the same windows. One thread only. */
final class Pane {

    final long start;
    final long end;
    /** The end of the latest window that it lies in. */
    final long lastWindowEnd;

    GroupTable table;
    /** When a row was last added, as the aggregator counts its rows. */
    long changed;
    /** Whether there are groups of it on disk too. */
    boolean spilled;

    Pane(long start, long end, long lastWindowEnd, GroupTable table) {
        this.start = start;
        this.end = end;
        this.lastWindowEnd = lastWindowEnd;
        this.table = table;
    }

    boolean holds(long time) {
        return time >= start && time < end;
    }
}
