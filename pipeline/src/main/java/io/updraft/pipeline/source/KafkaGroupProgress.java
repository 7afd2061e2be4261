package io.updraft.pipeline.source;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.UnitPartition;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** How far the other processes of the group have come, as they have committed it. Asks now and then, and never waits. One thread. */
final class KafkaGroupProgress {

    private static final long EVERY_MS = 1_000;

    private final Coordinator coordinator;
    private CompletableFuture<Map<UnitPartition, Long>> asked = CompletableFuture.completedFuture(Map.of());
    private Map<UnitPartition, Long> positions = Map.of();
    private long nextQuestion = Long.MIN_VALUE;

    KafkaGroupProgress(Coordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** Whether everything of these partitions before these offsets is done, by whomever; asks if it is not known to be. */
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
