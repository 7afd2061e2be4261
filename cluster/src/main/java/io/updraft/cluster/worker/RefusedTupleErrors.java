package io.updraft.cluster.worker;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Collects the tuples that could not be sent to or read from another worker: errors that the engine does not count. All are
 * counted, and the newest are kept.
 */
final class RefusedTupleErrors implements Consumer<ErrorReport> {
    private static final int MAX_KEPT = 16;

    private final ArrayDeque<ErrorReport> newest = new ArrayDeque<>();
    private final Map<String, Long> counts = new HashMap<>();
    private final Consumer<ErrorReport> next;

    RefusedTupleErrors(Consumer<ErrorReport> next) {
        this.next = next;
    }

    @Override
    public void accept(ErrorReport report) {
        synchronized (newest) {
            if (report.componentId() != null) {
                counts.merge(report.componentId(), 1L, Long::sum);
            }
            newest.add(report);
            if (newest.size() > MAX_KEPT) {
                newest.remove();
            }
        }
        next.accept(report);
    }

    /** {@return the snapshot with these errors added to those of the engine} */
    EngineSnapshot addTo(EngineSnapshot snapshot) {
        List<ErrorReport> errors = new ArrayList<>(snapshot.recentErrors());
        List<ComponentSnapshot> components;
        synchronized (newest) {
            errors.addAll(newest);
            components = snapshot.components().stream()
                    .map(component -> component.plusErrors(counts.getOrDefault(component.id(), 0L)))
                    .toList();
        }
        return new EngineSnapshot(
                snapshot.uptimeNanos(),
                snapshot.active(),
                components,
                snapshot.edges(),
                snapshot.loopBusyNanos(),
                snapshot.inFlightTrees(),
                errors);
    }
}
