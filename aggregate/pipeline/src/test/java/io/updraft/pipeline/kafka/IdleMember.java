package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.GroupCoordinator;
import io.updraft.kafka.share.GroupSettings;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Another process of the group, which does nothing. */
final class IdleMember implements ShareCoordinator.Listener, AutoCloseable {

    final Map<Share.Ownership, Share.Assigned> owned = new ConcurrentHashMap<>();
    private final ShareCoordinator coordinator;
    private boolean joined;

    IdleMember(GroupSettings group) {
        coordinator = new GroupCoordinator(group);
    }

    void join() {
        joined = true;
        coordinator.join(this);
    }

    @Override
    public void onAssigned(List<Share.Assigned> shares) {
        shares.forEach(share -> owned.put(share.ownership(), share));
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason) {
        shares.forEach(owned::remove);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onLost(List<Share.Ownership> shares, String reason) {
        shares.forEach(owned::remove);
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
