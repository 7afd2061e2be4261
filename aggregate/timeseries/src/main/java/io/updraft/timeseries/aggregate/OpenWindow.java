package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.TimeWindow;
import java.util.ArrayList;
import java.util.List;

/** The state of an open window: which results were taken. Row counts are those of the aggregator. One thread only. */
final class OpenWindow {

    private static final long NEVER = 0;

    final TimeWindow window;
    /** The panes with rows of the window, by their starts. */
    final List<WindowPane> panes = new ArrayList<>();
    /** The row count when the result was last taken; {@link #NEVER} if it was not. */
    long taken = NEVER;

    long takenEarly = NEVER;
    /** The row count when a result that an earlier run has written was last taken. */
    long takenRestored = NEVER;

    OpenWindow(TimeWindow window) {
        this.window = window;
    }

    void add(WindowPane pane) {
        int at = panes.size();
        while (at > 0 && panes.get(at - 1).start > pane.start) {
            at--;
        }
        panes.add(at, pane);
        pane.openWindows++;
    }

    /** Returns the row count when the result last changed; {@link #NEVER} if it has not changed in this run. */
    long changed() {
        return panes.stream()
                .mapToLong(pane -> pane.changed(window.end()))
                .max()
                .orElse(NEVER);
    }

    /** Returns the row count when a row of an earlier run's result was last added; {@link #NEVER} if there is none. */
    long restored() {
        return panes.stream()
                .mapToLong(pane -> pane.restored(window.end()))
                .max()
                .orElse(NEVER);
    }

    /** Returns whether a result was taken, in this run or an earlier one. */
    boolean isWritten() {
        return taken != NEVER || restored() != NEVER;
    }
}
