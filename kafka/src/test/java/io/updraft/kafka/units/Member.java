package io.updraft.kafka.units;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A member of a group in the test's own JVM: knows what it owns, and does no work. */
final class Member implements UnitsListener, AutoCloseable {

    final Coordinator coordinator;
    final Set<AssignedUnit> assigned = ConcurrentHashMap.newKeySet();
    final Set<Ownership> owned = ConcurrentHashMap.newKeySet();
    final Set<Ownership> lost = ConcurrentHashMap.newKeySet();
    private final boolean letsGo;

    private Member(Coordinator coordinator, boolean letsGo) {
        this.coordinator = coordinator;
        this.letsGo = letsGo;
        coordinator.join(this);
    }

    static Member join(Coordinator coordinator) {
        return new Member(coordinator, true);
    }

    /** One that never says that it has let go, as if its only thread were held up. */
    static Member joinStuck(Coordinator coordinator) {
        return new Member(coordinator, false);
    }

    Set<Integer> units() {
        return owned.stream().map(one -> one.unit().index()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void onAssigned(List<AssignedUnit> units) {
        assigned.addAll(units);
        units.forEach(unit -> owned.add(unit.ownership()));
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Ownership> units) {
        if (!letsGo) {
            return new CompletableFuture<>();
        }
        units.forEach(owned::remove);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onLost(List<Ownership> units) {
        units.forEach(owned::remove);
        lost.addAll(units);
    }

    @Override
    public void onFailed(Throwable cause) {
        throw new AssertionError(cause);
    }

    @Override
    public void close() {
        coordinator.close();
    }
}
