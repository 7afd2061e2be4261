package io.updraft.pipeline.source;

import io.updraft.kafka.reader.LogCheck;
import io.updraft.kafka.units.AssignedUnit;
import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.UnitPartition;
import io.updraft.kafka.units.UnitsListener;
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

/** Carries what the coordinator's thread tells over to the thread that reads. */
final class UnitEvents implements UnitsListener {

    /** What was told. */
    sealed interface Told {

        /** A unit is ours; {@code logs} says of each of its partitions whether the log is the one that was read before. */
        record Assigned(AssignedUnit unit, Map<UnitPartition, LogCheck.Answer> logs) implements Told {}

        /** A unit is to be let go of; {@code done} is to be completed then. */
        record Revoked(Ownership ownership, CompletableFuture<Void> done) implements Told {}

        /** The coordinator has given up. */
        record Failed(Throwable cause) implements Told {}
    }

    private final Function<List<AssignedUnit>, Map<UnitPartition, LogCheck.Answer>> look;

    /** What is told of in one call is in one list. */
    private final Queue<List<? extends Told>> told = new ConcurrentLinkedQueue<>();

    private final Set<CompletableFuture<Void>> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile boolean written;

    /** {@code look} is called on the coordinator's thread and may wait. */
    UnitEvents(Function<List<AssignedUnit>, Map<UnitPartition, LogCheck.Answer>> look) {
        this.look = look;
    }

    /** What was told since the last call; of units that were told of together, all or none. */
    List<Told> take() {
        List<Told> all = new ArrayList<>();
        for (List<? extends Told> next = told.poll(); next != null; next = told.poll()) {
            all.addAll(next);
        }
        return all;
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
        Map<UnitPartition, LogCheck.Answer> logs = look.apply(units);
        told.add(units.stream().map(unit -> new Told.Assigned(unit, logs)).toList());
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Ownership> units) {
        List<Told.Revoked> all = units.stream().map(UnitEvents::revoked).toList();
        for (Told.Revoked each : all) {
            unanswered.add(each.done());
            each.done().thenRun(() -> unanswered.remove(each.done()));
        }
        told.add(all);
        if (closed) {
            answerAll();
        }
        return CompletableFuture.allOf(all.stream().map(Told.Revoked::done).toArray(CompletableFuture[]::new));
    }

    private static Told.Revoked revoked(Ownership unit) {
        return new Told.Revoked(unit, new CompletableFuture<>());
    }

    @Override
    public void onLost(List<Ownership> units) {
        told.add(units.stream().map(UnitEvents::revoked).toList());
    }

    @Override
    public void onFailed(Throwable cause) {
        told.add(List.of(new Told.Failed(cause)));
    }
}
