package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.WindowGrid;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;

/** The panes of the windows of a zone. Zones may share panes. One thread only. */
final class ZonePanes {

    final WindowGrid grid;
    /** The zone by which panes are told apart; null if their start and end are enough. */
    final ZoneId zone;
    /** The pane of the row before; null if there is none. */
    WindowPane current;
    /** The pane that was current before: rows near a window's end often alternate between two. */
    private WindowPane before;

    private final TreeMap<Long, WindowPane> panes = new TreeMap<>();

    /** Whether the start of a pane is computed faster than it is searched for. */
    private final boolean isFixed;

    /** Creates the panes of windows of a calendar. */
    ZonePanes(WindowGrid grid, ZoneId zone) {
        this(grid, zone, false);
    }

    ZonePanes(WindowGrid grid, ZoneId zone, boolean isFixed) {
        this.grid = grid;
        this.zone = zone;
        this.isFixed = isFixed;
    }

    /** Returns the pane that holds a time; null if there is none. */
    WindowPane of(long time) {
        if (before != null && before.holds(time)) {
            return before;
        }
        if (isFixed) {
            return panes.get(grid.start(time));
        }
        Map.Entry<Long, WindowPane> latest = panes.floorEntry(time);
        return latest != null && latest.getValue().holds(time) ? latest.getValue() : null;
    }

    void use(WindowPane pane) {
        if (pane != current) {
            before = current;
            current = pane;
        }
    }

    void add(WindowPane pane) {
        panes.put(pane.start, pane);
    }

    void drop(WindowPane pane) {
        panes.remove(pane.start, pane);
        current = null;
        before = null;
    }

    void clear() {
        panes.clear();
        current = null;
        before = null;
    }
}
