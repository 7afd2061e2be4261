package io.updraft.pipeline.source;

import io.updraft.kafka.units.AssignedUnit;
import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.UnitsListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Carries what the coordinator's thread tells over to the thread that reads. */
final class UnitEvents implements UnitsListener {

    /** What was told. */
    sealed interface Told {

        /** A unit is ours. */
        record Assigned(AssignedUnit unit) implements Told {}

        /** A unit is to be let go of; {@code done} is to be completed then. */
        record Revoked(Ownership ownership, CompletableFuture<Void> done) implements Told {}

        /** The coordinator has given up. */
        record Failed(Throwable cause) implements Told {}
    }

    private final Queue<Told> told = new ConcurrentLinkedQueue<>();
    private final Set<CompletableFuture<Void>> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile boolean written;

    /** The next thing that was told; null if nothing. */
    Told poll() {
        return told.poll();
    }

    /**
     * Nobody reads any more what is told: units are let go of at once, now and later.
     *
     * @param written whether nothing of them is on its way any more; if something may be, the coordinator is told so, and sees to it that it
     *     is refused
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
    public void onAssigned(List<AssignedUnit> units) {
        units.forEach(unit -> told.add(new Told.Assigned(unit)));
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Ownership> units) {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (Ownership unit : units) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            unanswered.add(done);
            done.thenRun(() -> unanswered.remove(done));
            told.add(new Told.Revoked(unit, done));
            all.add(done);
        }
        if (closed) {
            answerAll();
        }
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    @Override
    public void onLost(List<Ownership> units) {
        units.forEach(unit -> told.add(new Told.Revoked(unit, new CompletableFuture<>())));
    }

    @Override
    public void onFailed(Throwable cause) {
        told.add(new Told.Failed(cause));
    }
}
