package io.updraft.pipeline.source;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.UnitCommit;
import io.updraft.kafka.units.UnitPartition;
import io.updraft.kafka.units.UnitsListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A coordinator whose answer to the first commit is delayed. */
final class DelayedCoordinator implements Coordinator {

    private record Answer(CompletableFuture<Void> real, CompletableFuture<Void> delayed) {}

    private final Coordinator real;
    private volatile Answer underWay;

    DelayedCoordinator(Coordinator real) {
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
    public void join(UnitsListener listener) {
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
    public void leave() {
        real.leave();
    }

    @Override
    public void close() {
        real.close();
    }
}
