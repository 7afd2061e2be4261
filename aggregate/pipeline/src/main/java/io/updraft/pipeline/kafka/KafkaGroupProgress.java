package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.ShareCoordinator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The committed positions of the other processes of the group. Requests them at intervals and never waits. Not thread-safe. */
final class KafkaGroupProgress {

    private static final long EVERY_MS = 1_000;

    private final ShareCoordinator coordinator;
    private CompletableFuture<Map<ClusterPartition, Long>> asked = CompletableFuture.completedFuture(Map.of());
    private Map<ClusterPartition, Long> positions = Map.of();
    private long nextQuestion = Long.MIN_VALUE;

    KafkaGroupProgress(ShareCoordinator coordinator) {
        this.coordinator = coordinator;
    }

    /** Returns whether the group has committed all records before these offsets. Requests new positions if not. */
    boolean isBehind(Map<ClusterPartition, Long> ends, long now) {
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
