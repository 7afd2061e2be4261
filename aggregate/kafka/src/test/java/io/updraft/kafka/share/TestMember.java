package io.updraft.kafka.share;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A member of a group in the test's own JVM. It records its assignments and does no work. */
final class TestMember implements ShareCoordinator.Listener, AutoCloseable {

    final ShareCoordinator coordinator;
    final Set<Share.Assigned> assigned = ConcurrentHashMap.newKeySet();
    final Set<Share.Ownership> owned = ConcurrentHashMap.newKeySet();
    final Set<Share.Ownership> lost = ConcurrentHashMap.newKeySet();
    /** Why shares came and went. */
    final Set<String> reasons = ConcurrentHashMap.newKeySet();

    private final CompletableFuture<Void> letsGo;

    private TestMember(ShareCoordinator coordinator, CompletableFuture<Void> letsGo) {
        this.coordinator = coordinator;
        this.letsGo = letsGo;
        coordinator.join(this);
    }

    static TestMember join(ShareCoordinator coordinator) {
        return new TestMember(coordinator, CompletableFuture.completedFuture(null));
    }

    /** One that never says that it has let go, as if its only thread were held up. */
    static TestMember joinStuck(ShareCoordinator coordinator) {
        return new TestMember(coordinator, new CompletableFuture<>());
    }

    /** One that says at once that it will never know whether it has let go, as one that ends while it writes. */
    static TestMember joinUnsure(ShareCoordinator coordinator) {
        return new TestMember(
                coordinator, CompletableFuture.failedFuture(new IllegalStateException("it is being written")));
    }

    Set<Integer> shares() {
        return owned.stream().map(one -> one.share().index()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void onAssigned(List<Share.Assigned> shares) {
        assigned.addAll(shares);
        shares.forEach(share -> reasons.add(share.reason()));
        shares.forEach(share -> owned.add(share.ownership()));
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason) {
        reasons.add(reason);
        if (letsGo.isDone() && !letsGo.isCompletedExceptionally()) {
            shares.forEach(owned::remove);
        }
        return letsGo;
    }

    @Override
    public void onLost(List<Share.Ownership> shares, String reason) {
        shares.forEach(owned::remove);
        lost.addAll(shares);
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
