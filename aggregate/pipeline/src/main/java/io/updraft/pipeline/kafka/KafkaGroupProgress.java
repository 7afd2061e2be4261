package io.updraft.pipeline.kafka;

import io.updraft.kafka.unit.UnitCoordinator;
import io.updraft.kafka.unit.UnitPartition;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The committed positions of the other processes of the group. Requests them at intervals and never waits. One thread. */
final class KafkaGroupProgress {

    private static final long EVERY_MS = 1_000;

    private final UnitCoordinator coordinator;
    private CompletableFuture<Map<UnitPartition, Long>> asked = CompletableFuture.completedFuture(Map.of());
    private Map<UnitPartition, Long> positions = Map.of();
    private long nextQuestion = Long.MIN_VALUE;

    KafkaGroupProgress(UnitCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** Returns whether the group has committed all records before these offsets. Requests new positions if not. */
    boolean isBehind(Map<UnitPartition, Long> ends, long now) {
        if (asked.isDone()) {
            positions = asked.isCompletedExceptionally() ? positions : asked.join();
        }
        boolean behind =
                ends.entrySet().stream().allMatch(end -> end.getValue() <= positions.getOrDefault(end.getKey(), 0L));
        if (!behind && asked.isDone() && now >= nextQuestion) {
            nextQuestion = now + EVERY_MS;
            asked = coordinator.positions();
        }
        return behind;
    }
}
