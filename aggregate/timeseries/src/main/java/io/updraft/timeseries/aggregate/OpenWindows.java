package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowGrid;
import io.updraft.timeseries.record.RecordRow;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The open windows of an aggregator, and their panes, in the time zones of the rows. One thread only. */
final class OpenWindows implements Iterable<OpenWindow> {

    /** A time before all times of rows, far enough from the minimum that subtracting a lateness does not overflow. */
    private static final long FIRST = Long.MIN_VALUE / 2;

    private final GroupLayout layout;
    private final GroupLimit limit;
    private final long lateness;
    private final Map<WindowPane.Key, WindowPane> panes = new HashMap<>();
    private final TreeMap<TimeWindow, OpenWindow> windows = new TreeMap<>(TimeWindow.BY_END);
    /** The zones that rows name; null if all rows have the same windows. */
    private final RowZones rowZones;
    /** The zone of the row before, or that of all rows. */
    private ZonePanes zone;

    private long closedTo = FIRST;
    /** The number of panes opened so far. */
    private long opened;

    OpenWindows(Query query, GroupLayout layout, GroupLimit limit) {
        this.layout = layout;
        this.limit = limit;
        lateness = Math.min(-FIRST, query.window().lateness().toMillis());
        rowZones = query.window().zoneField() == null ? null : new RowZones(query);
        zone = rowZones == null
                ? new ZonePanes(query.window().grid(), null, query.window().calendar() == null)
                : null;
    }

    /** Returns whether rows name the zones of their windows. */
    boolean haveRowZones() {
        return rowZones != null;
    }

    /** Makes the zone that a row names the current one. Returns whether there is such a zone. Only if rows name zones. */
    boolean useZone(RecordRow row) {
        ZonePanes named = rowZones.of(row);
        if (named == null) {
            return false;
        }
        zone = named;
        return true;
    }

    /** Returns the last pane of the current zone that {@link #pane} has returned; null if it was dropped. */
    WindowPane current() {
        return zone.current;
    }

    /** Returns why a row names no zone; null if that is no mistake. */
    String zoneMistake(RecordRow row) {
        return rowZones == null || rowZones.of(row) != null ? null : rowZones.mistake(row);
    }

    /** Returns the windows of a row. */
    WindowGrid grid(RecordRow row) {
        return rowZones == null ? zone.grid : rowZones.of(row).grid;
    }

    /** Returns whether two times belong to the same windows. Only if rows do not name zones. */
    boolean areTogether(long first, long last) {
        WindowPane current = zone.current;
        return current != null && current.holds(first)
                ? current.holds(last)
                : zone.grid.start(first) == zone.grid.start(last);
    }

    /**
     * Returns the pane of a time in the current zone; null if all windows of that time are closed, or their ends are out of
     * range.
     */
    WindowPane pane(long time) {
        if (time < FIRST || time > -FIRST) {
            return null;
        }
        WindowPane pane = zone.of(time);
        if (pane == null) {
            pane = open(zone.grid.start(time));
        } else if (isDropped(pane.lastWindowEnd)) {
            return null;
        }
        if (pane != null) {
            zone.use(pane);
        }
        return pane;
    }

    /** Opens a pane, unless another zone has opened it. Returns null if all its windows are dropped. */
    private WindowPane open(long start) {
        WindowGrid grid = zone.grid;
        long lastEnd = grid.end(start);
        if (isDropped(lastEnd)) {
            return null;
        }
        WindowPane.Key key = new WindowPane.Key(start, grid.next(start), zone.zone);
        WindowPane pane = panes.get(key);
        if (pane == null) {
            pane = new WindowPane(key, opened++, lastEnd, new GroupTable(layout));
            panes.put(key, pane);
            limit.opened(key);
            addToWindows(pane);
        }
        zone.add(pane);
        return pane;
    }

    private void addToWindows(WindowPane pane) {
        WindowGrid grid = zone.grid;
        long start = pane.start;
        for (long end = pane.lastWindowEnd; end > pane.start && !isDropped(end); end = grid.end(start)) {
            windows.computeIfAbsent(new TimeWindow(start, end), OpenWindow::new).add(pane);
            start = grid.previous(start);
        }
    }

    /** Closes the windows that end at or before a time. */
    void close(long time) {
        closedTo = Math.max(closedTo, time);
    }

    /** Returns whether a window has ended. */
    boolean isClosed(OpenWindow window) {
        return window.window.end() <= closedTo;
    }

    /** Returns whether windows with this end accept no more rows. */
    boolean isDropped(long end) {
        return end <= closedTo - lateness;
    }

    /** Takes a pane out of a window that is dropped. Returns whether that was its last window: then the pane is dropped too. */
    boolean leave(WindowPane pane) {
        if (--pane.openWindows > 0) {
            return false;
        }
        panes.remove(pane.key);
        zones().forEach(each -> each.drop(pane));
        return true;
    }

    private Collection<ZonePanes> zones() {
        return rowZones == null ? List.of(zone) : rowZones.all();
    }

    /** Returns all panes. */
    Collection<WindowPane> panes() {
        return panes.values();
    }

    /** Iterates over the windows by their ends, then by their starts. Each may be removed. */
    @Override
    public Iterator<OpenWindow> iterator() {
        return windows.values().iterator();
    }

    int size() {
        return windows.size();
    }

    void clear() {
        panes.clear();
        windows.clear();
        zones().forEach(ZonePanes::clear);
    }
}
