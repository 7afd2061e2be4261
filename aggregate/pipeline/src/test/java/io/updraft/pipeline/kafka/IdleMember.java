package io.updraft.pipeline.kafka;

import io.updraft.kafka.unit.AssignedUnit;
import io.updraft.kafka.unit.GroupCoordinator;
import io.updraft.kafka.unit.GroupSettings;
import io.updraft.kafka.unit.UnitCoordinator;
import io.updraft.kafka.unit.UnitListener;
import io.updraft.kafka.unit.UnitOwnership;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Another process of the group, which does nothing. */
final class IdleMember implements UnitListener, AutoCloseable {

    final Map<UnitOwnership, AssignedUnit> owned = new ConcurrentHashMap<>();
    private final UnitCoordinator coordinator;
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
    public CompletionStage<Void> onRevoked(List<UnitOwnership> units, String reason) {
        units.forEach(owned::remove);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onLost(List<UnitOwnership> units, String reason) {
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
