package io.updraft.pipeline.kafka;

import io.updraft.kafka.unit.UnitCommit;
import io.updraft.kafka.unit.UnitCoordinator;
import io.updraft.kafka.unit.UnitListener;
import io.updraft.kafka.unit.UnitPartition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A coordinator whose answer to the first commit is delayed. */
final class DelayedCoordinator implements UnitCoordinator {

    private record Answer(CompletableFuture<Void> real, CompletableFuture<Void> delayed) {}

    private final UnitCoordinator real;
    private volatile Answer underWay;

    DelayedCoordinator(UnitCoordinator real) {
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
    public CompletableFuture<Void> commit(List<UnitCommit> commits) {
        CompletableFuture<Void> answer = real.commit(commits);
        if (underWay != null) {
            return answer;
        }
        underWay = new Answer(answer, new CompletableFuture<>());
        return underWay.delayed;
    }

    @Override
    public void join(UnitListener listener) {
        real.join(listener);
    }

    @Override
    public TransactionOffsets transactionOffsets(List<UnitCommit> commits) {
        return real.transactionOffsets(commits);
    }

    @Override
    public CompletableFuture<Map<UnitPartition, Long>> positions() {
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
