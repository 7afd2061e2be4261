package io.updraft.pipeline.source;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.Progress;
import io.updraft.kafka.units.UnitCommit;
import io.updraft.kafka.units.UnitPartition;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The right to a work unit of Kafka, and what is needed to commit how far its partitions are done. Immutable but for its end. */
public final class KafkaClaim implements Source.Claim {

    private final Coordinator coordinator;
    private final Ownership ownership;
    private final Map<String, UnitPartition> partitions;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    KafkaClaim(Coordinator coordinator, Ownership ownership, Map<String, UnitPartition> partitions) {
        this.coordinator = coordinator;
        this.ownership = ownership;
        this.partitions = Map.copyOf(partitions);
    }

    /** Who shares out the units. */
    public Coordinator coordinator() {
        return coordinator;
    }

    /** The ownership that this is the right by. */
    public Ownership ownership() {
        return ownership;
    }

    /**
     * What to say to the coordinator of how far the partitions are done.
     *
     * @param positions by unit of the source; those below 0 are of partitions of which nothing was read yet, and are left out
     * @param closedUntil windows that end at or before this are written for good
     * @return empty if nothing was read of any of them yet
     */
    public Optional<UnitCommit> commit(Map<String, Long> positions, long closedUntil) {
        Map<UnitPartition, Long> offsets = new TreeMap<>();
        positions.forEach((unit, position) -> {
            if (position >= 0) {
                offsets.put(partitions.get(unit), position);
            }
        });
        return offsets.isEmpty()
                ? Optional.empty()
                : Optional.of(new UnitCommit(ownership, new Progress(offsets, Long.toString(closedUntil))));
    }

    /** What {@link #commit} has written; no windows if it was not that. */
    static long closedUntil(Progress progress) {
        try {
            return Long.parseLong(progress.metadata());
        } catch (NumberFormatException e) {
            return Long.MIN_VALUE;
        }
    }

    /** Completes when the units are worked on no more. */
    CompletableFuture<Void> end() {
        return end;
    }

    boolean isReleased() {
        return end.isDone();
    }

    @Override
    public void released() {
        end.complete(null);
    }
}
