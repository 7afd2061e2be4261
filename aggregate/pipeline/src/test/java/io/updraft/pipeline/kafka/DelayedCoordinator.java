package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.Share;
import io.updraft.kafka.share.ShareCoordinator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A coordinator whose answer to the first commit is delayed. */
final class DelayedCoordinator implements ShareCoordinator {

    private record Answer(CompletableFuture<Void> real, CompletableFuture<Void> delayed) {}

    private final ShareCoordinator real;
    private volatile Answer underWay;

    DelayedCoordinator(ShareCoordinator real) {
        this.real = real;
    }

    boolean isCommitting() {
        return underWay != null;
    }

    /** Gives the delayed answer soon, before or after somebody waits for it. */
    void releaseSoon() {
        Thread thread = new Thread(() -> {
            underWay.real.join();
            underWay.delayed.complete(null);
        });
        thread.start();
    }

    @Override
    public CompletableFuture<Void> commit(List<Share.Commit> commits) {
        CompletableFuture<Void> answer = real.commit(commits);
        if (underWay != null) {
            return answer;
        }
        underWay = new Answer(answer, new CompletableFuture<>());
        return underWay.delayed;
    }

    @Override
    public void join(ShareCoordinator.Listener listener) {
        real.join(listener);
    }

    @Override
    public TransactionOffsets transactionOffsets(List<Share.Commit> commits) {
        return real.transactionOffsets(commits);
    }

    @Override
    public CompletableFuture<Map<ClusterPartition, Long>> positions() {
        return real.positions();
    }

    @Override
    public String transactionalId() {
        return real.transactionalId();
    }

    @Override
    public void close() {
        real.close();
    }
}
