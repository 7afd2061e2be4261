package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.LogContinuityCheck;
import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** Hands over the events of the coordinator's thread to the thread that reads. */
final class ShareEventQueue implements ShareCoordinator.Listener {

    sealed interface ShareEvent {

        /** A share was assigned; {@code logs} holds for each of its partitions whether the log is still the same. */
        record Assigned(Share.Assigned share, Map<ClusterPartition, LogContinuityCheck.Answer> logs)
                implements ShareEvent {}

        /** A share was revoked; the reader completes {@code done} once it has released the share. */
        record Revoked(Share.Ownership ownership, String reason, CompletableFuture<Void> done) implements ShareEvent {}

        record Failed(Throwable cause) implements ShareEvent {}
    }

    private final Function<List<Share.Assigned>, Map<ClusterPartition, LogContinuityCheck.Answer>> look;

    /** The events of one call, in one list each. */
    private final Queue<List<? extends ShareEvent>> queue = new ConcurrentLinkedQueue<>();

    private final Set<CompletableFuture<Void>> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile boolean written;

    /** Creates a queue. {@code look} is called on the coordinator's thread and may wait. */
    ShareEventQueue(Function<List<Share.Assigned>, Map<ClusterPartition, LogContinuityCheck.Answer>> look) {
        this.look = look;
    }

    /** Returns the events since the last call. The events of one coordinator call are returned together. */
    List<ShareEvent> take() {
        List<ShareEvent> all = new ArrayList<>();
        for (List<? extends ShareEvent> next = queue.poll(); next != null; next = queue.poll()) {
            all.addAll(next);
        }
        return all;
    }

    /**
     * Ends the reading of events: shares are released at once, now and later.
     *
     * @param written whether all writes of the shares have ended; if not, the coordinator is notified, and makes sure that they
     *     are refused
     */
    void close(boolean written) {
        this.written = written;
        closed = true;
        answerAll();
    }

    private void answerAll() {
        unanswered.forEach(done -> {
            if (written) {
                done.complete(null);
            } else {
                done.cancel(false);
            }
        });
    }

    @Override
    public void onAssigned(List<Share.Assigned> shares) {
        Map<ClusterPartition, LogContinuityCheck.Answer> logs = look.apply(shares);
        queue.add(shares.stream()
                .map(share -> new ShareEvent.Assigned(share, logs))
                .toList());
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason) {
        List<ShareEvent.Revoked> all = revoked(shares, reason);
        for (ShareEvent.Revoked each : all) {
            unanswered.add(each.done());
            each.done().thenRun(() -> unanswered.remove(each.done()));
        }
        queue.add(all);
        if (closed) {
            answerAll();
        }
        return CompletableFuture.allOf(
                all.stream().map(ShareEvent.Revoked::done).toArray(CompletableFuture[]::new));
    }

    private static List<ShareEvent.Revoked> revoked(List<Share.Ownership> shares, String reason) {
        return shares.stream()
                .map(share -> new ShareEvent.Revoked(share, reason, new CompletableFuture<>()))
                .toList();
    }

    @Override
    public void onLost(List<Share.Ownership> shares, String reason) {
        queue.add(revoked(shares, reason));
    }

    @Override
    public void onFailed(Throwable cause) {
        queue.add(List.of(new ShareEvent.Failed(cause)));
    }
}
