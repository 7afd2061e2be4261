package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.LogContinuityCheck;
import io.updraft.kafka.unit.AssignedUnit;
import io.updraft.kafka.unit.UnitListener;
import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.UnitPartition;
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
final class UnitEventQueue implements UnitListener {

    sealed interface UnitEvent {

        /** A unit was assigned; {@code logs} holds for each of its partitions whether the log is still the same. */
        record Assigned(AssignedUnit unit, Map<UnitPartition, LogContinuityCheck.Answer> logs) implements UnitEvent {}

        /** A unit was revoked; the reader completes {@code done} once it has released the unit. */
        record Revoked(UnitOwnership ownership, String reason, CompletableFuture<Void> done) implements UnitEvent {}

        record Failed(Throwable cause) implements UnitEvent {}
    }

    private final Function<List<AssignedUnit>, Map<UnitPartition, LogContinuityCheck.Answer>> look;

    /** The events of one call, in one list each. */
    private final Queue<List<? extends UnitEvent>> queue = new ConcurrentLinkedQueue<>();

    private final Set<CompletableFuture<Void>> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile boolean written;

    /** Creates a queue. {@code look} is called on the coordinator's thread and may wait. */
    UnitEventQueue(Function<List<AssignedUnit>, Map<UnitPartition, LogContinuityCheck.Answer>> look) {
        this.look = look;
    }

    /** Returns the events since the last call. The events of one coordinator call are returned together. */
    List<UnitEvent> take() {
        List<UnitEvent> all = new ArrayList<>();
        for (List<? extends UnitEvent> next = queue.poll(); next != null; next = queue.poll()) {
            all.addAll(next);
        }
        return all;
    }

    /**
     * Ends the reading of events: units are released at once, now and later.
     *
     * @param written whether all writes of the units have ended; if not, the coordinator is notified, and makes sure that they
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
    public void onAssigned(List<AssignedUnit> units) {
        Map<UnitPartition, LogContinuityCheck.Answer> logs = look.apply(units);
        queue.add(units.stream().map(unit -> new UnitEvent.Assigned(unit, logs)).toList());
    }

    @Override
    public CompletionStage<Void> onRevoked(List<UnitOwnership> units, String reason) {
        List<UnitEvent.Revoked> all = revoked(units, reason);
        for (UnitEvent.Revoked each : all) {
            unanswered.add(each.done());
            each.done().thenRun(() -> unanswered.remove(each.done()));
        }
        queue.add(all);
        if (closed) {
            answerAll();
        }
        return CompletableFuture.allOf(all.stream().map(UnitEvent.Revoked::done).toArray(CompletableFuture[]::new));
    }

    private static List<UnitEvent.Revoked> revoked(List<UnitOwnership> units, String reason) {
        return units.stream()
                .map(unit -> new UnitEvent.Revoked(unit, reason, new CompletableFuture<>()))
                .toList();
    }

    @Override
    public void onLost(List<UnitOwnership> units, String reason) {
        queue.add(revoked(units, reason));
    }

    @Override
    public void onFailed(Throwable cause) {
        queue.add(List.of(new UnitEvent.Failed(cause)));
    }
}
