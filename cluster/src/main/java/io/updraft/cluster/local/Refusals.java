package io.updraft.cluster.local;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The newest tuples that could not cross to or from another worker: errors that the engine does not know of. */
final class Refusals implements Consumer<ErrorReport> {
    private static final int KEPT = 16;

    private final ArrayDeque<ErrorReport> newest = new ArrayDeque<>();
    private final Consumer<ErrorReport> next;

    /**
     * Creates an empty collection.
     *
     * @param next is told of each as well
     */
    Refusals(Consumer<ErrorReport> next) {
        this.next = next;
    }

    @Override
    public void accept(ErrorReport report) {
        synchronized (newest) {
            newest.add(report);
            if (newest.size() > KEPT) {
                newest.remove();
            }
        }
        next.accept(report);
    }

    /** {@return the snapshot with these errors beside those of the engine} */
    EngineSnapshot addTo(EngineSnapshot snapshot) {
        List<ErrorReport> errors = new ArrayList<>(snapshot.recentErrors());
        synchronized (newest) {
            errors.addAll(newest);
        }
        return new EngineSnapshot(
                snapshot.uptimeNanos(),
                snapshot.active(),
                snapshot.components(),
                snapshot.edges(),
                snapshot.loopBusyNanos(),
                snapshot.inFlightTrees(),
                errors);
    }
}
