package io.updraft.kafka.unit;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A member of a group in the test's own JVM. It records its assignments and does no work. */
final class TestMember implements UnitListener, AutoCloseable {

    final UnitCoordinator coordinator;
    final Set<AssignedUnit> assigned = ConcurrentHashMap.newKeySet();
    final Set<UnitOwnership> owned = ConcurrentHashMap.newKeySet();
    final Set<UnitOwnership> lost = ConcurrentHashMap.newKeySet();
    /** Why units came and went. */
    final Set<String> reasons = ConcurrentHashMap.newKeySet();

    private final CompletableFuture<Void> letsGo;

    private TestMember(UnitCoordinator coordinator, CompletableFuture<Void> letsGo) {
        this.coordinator = coordinator;
        this.letsGo = letsGo;
        coordinator.join(this);
    }

    static TestMember join(UnitCoordinator coordinator) {
        return new TestMember(coordinator, CompletableFuture.completedFuture(null));
    }

    /** One that never says that it has let go, as if its only thread were held up. */
    static TestMember joinStuck(UnitCoordinator coordinator) {
        return new TestMember(coordinator, new CompletableFuture<>());
    }

    /** One that says at once that it will never know whether it has let go, as one that ends while it writes. */
    static TestMember joinUnsure(UnitCoordinator coordinator) {
        return new TestMember(
                coordinator, CompletableFuture.failedFuture(new IllegalStateException("it is being written")));
    }

    Set<Integer> units() {
        return owned.stream().map(one -> one.unit().index()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void onAssigned(List<AssignedUnit> units) {
        assigned.addAll(units);
        units.forEach(unit -> reasons.add(unit.reason()));
        units.forEach(unit -> owned.add(unit.ownership()));
    }

    @Override
    public CompletionStage<Void> onRevoked(List<UnitOwnership> units, String reason) {
        reasons.add(reason);
        if (letsGo.isDone() && !letsGo.isCompletedExceptionally()) {
            units.forEach(owned::remove);
        }
        return letsGo;
    }

    @Override
    public void onLost(List<UnitOwnership> units, String reason) {
        units.forEach(owned::remove);
        lost.addAll(units);
        reasons.add(reason);
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
