package io.updraft.timeseries.aggregate;

import java.time.ZoneId;

/** The groups of the records of a time interval that belongs to one window, or to the same windows. One thread only. */
final class WindowPane {

    /**
     * What tells panes apart. Zones share the panes of tumbling windows that have the same start and end.
     *
     * @param zone of sliding windows of a calendar, the zone: other days of such windows may differ; else null
     */
    record Key(long start, long end, ZoneId zone) {}

    final Key key;
    final long start;
    final long end;
    /** Tells the panes of an aggregator apart. */
    final long number;
    /** The end of the latest window that contains the pane. */
    final long lastWindowEnd;

    /** The number of open windows that contain the pane. */
    int openWindows;

    GroupTable table;
    /** The aggregator's row count when a row was last added. */
    long changed;
    /** The aggregator's row count when a row that an earlier run has written was last added. */
    private long restored;
    /** Results of an earlier run for windows that end at or before this contain all rows of that run. */
    private long writtenUntil = Long.MAX_VALUE;
    /** Whether some groups of the pane are on disk. */
    boolean spilled;

    WindowPane(Key key, long number, long lastWindowEnd, GroupTable table) {
        this.key = key;
        this.start = key.start;
        this.end = key.end;
        this.number = number;
        this.lastWindowEnd = lastWindowEnd;
        this.table = table;
    }

    void restored(long rows, long until) {
        restored = rows;
        writtenUntil = Math.min(writtenUntil, until);
    }

    /** Returns the row count when the result of a window last changed; 0 if it has not changed in this run. */
    long changed(long windowEnd) {
        return windowEnd > writtenUntil ? Math.max(changed, restored) : changed;
    }

    /** Returns the row count when a row of an earlier result of a window was last added; 0 if there is none. */
    long restored(long windowEnd) {
        return windowEnd > writtenUntil ? 0 : restored;
    }

    boolean holds(long time) {
        return time >= start && time < end;
    }
}
