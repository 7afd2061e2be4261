package io.updraft.pipeline.source;

import io.updraft.kafka.units.AssignedUnit;
import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.GroupCoordinator;
import io.updraft.kafka.units.GroupSettings;
import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.UnitsListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Another process of the group, which does nothing. */
final class IdleMember implements UnitsListener, AutoCloseable {

    final Map<Ownership, AssignedUnit> owned = new ConcurrentHashMap<>();
    private final Coordinator coordinator;
    private boolean joined;

    IdleMember(GroupSettings group) {
        coordinator = new GroupCoordinator(group);
    }

    void join() {
        joined = true;
        coordinator.join(this);
    }

    @Override
    public void onAssigned(List<AssignedUnit> units) {
        units.forEach(unit -> owned.put(unit.ownership(), unit));
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Ownership> units) {
        units.forEach(owned::remove);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onLost(List<Ownership> units) {
        units.forEach(owned::remove);
    }

    @Override
    public void onFailed(Throwable cause) {
        throw new AssertionError(cause);
    }

    @Override
    public void close() {
        if (joined) {
            coordinator.close();
        }
    }
}
