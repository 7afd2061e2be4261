package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.LogIdentity;
import io.updraft.kafka.unit.UnitCommit;
import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.UnitPosition;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The right to a work unit of Kafka, with the data to commit the positions of its partitions. Immutable except for its end. */
public final class KafkaClaim implements RecordSource.Claim {

    /** The most characters of a time in milliseconds, sign included. */
    private static final int MAX_DIGITS = 20;

    private final UnitOwnership ownership;
    private final Map<String, UnitPartition> partitions;
    /** A future that completes when no work on the units is left. */
    final CompletableFuture<Void> end = new CompletableFuture<>();
    /** The log of each partition that is read, by unit. Written by the reading thread, read by the committing thread. */
    private final Map<String, LogIdentity> logs = new ConcurrentHashMap<>();

    KafkaClaim(UnitOwnership ownership, Map<String, UnitPartition> partitions) {
        this.ownership = ownership;
        this.partitions = Map.copyOf(partitions);
    }

    /** Returns the ownership behind this claim. */
    public UnitOwnership ownership() {
        return ownership;
    }

    /**
     * Returns the commit for the coordinator.
     *
     * @param commits commits of units of the source; a position below 0 means that nothing was read of the partition yet, and
     *     is left out
     * @return empty if nothing was read of any of the partitions yet
     */
    public Optional<UnitCommit> commit(Collection<UnitPosition> commits) {
        Map<UnitPartition, Long> offsets = new TreeMap<>();
        long closedUntil = Long.MIN_VALUE;
        StringBuilder seen = new StringBuilder();
        for (UnitPosition commit : commits) {
            if (commit.position() >= 0) {
                offsets.put(partitions.get(commit.unit()), commit.position());
                closedUntil = Math.max(closedUntil, commit.closedUntil());
                append(seen, commit.unit(), commit.processed());
            }
        }
        return offsets.isEmpty()
                ? Optional.empty()
                : Optional.of(new UnitCommit(ownership, new UnitProgress(offsets, closedUntil + seen.toString())));
    }

    /** Appends what fits of {@code seen} beside other partitions. A row that does not fit counts as late when read again. */
    private void append(StringBuilder to, String unit, ProcessedRanges seen) {
        String log =
                " " + logMark(unit) + logs.getOrDefault(unit, LogIdentity.NONE).text();
        to.append(log);
        String head = " " + mark(unit);
        int capacity = (UnitProgress.MAX_METADATA - MAX_DIGITS) / partitions.size() - head.length() - log.length();
        String text = seen.text(Math.max(0, capacity));
        if (!text.isEmpty()) {
            to.append(head).append(text);
        }
    }

    /** Returns the mark of a partition in metadata, where there is no capacity for its name. */
    private static String mark(String unit) {
        return Integer.toHexString(unit.hashCode()) + "=";
    }

    private static String logMark(String unit) {
        return Integer.toHexString(unit.hashCode()) + "@";
    }

    /** Records the log that a unit is read from. Its epoch may be newer than the one of the committed position. */
    void setLog(String unit, LogIdentity log) {
        logs.put(unit, log);
    }

    /** Returns the log of a unit from the metadata that {@link #commit} has written. */
    static LogIdentity readLog(UnitProgress progress, String unit) {
        for (String word : progress.metadata().split(" ")) {
            if (word.startsWith(logMark(unit))) {
                return LogIdentity.parse(word.substring(logMark(unit).length()));
            }
        }
        return LogIdentity.NONE;
    }

    /** Returns the commit of a unit from the metadata that {@link #commit} has written; without windows for other metadata. */
    static UnitPosition read(UnitProgress progress, String unit, long position) {
        String[] words = progress.metadata().split(" ");
        try {
            ProcessedRanges seen = ProcessedRanges.NONE;
            for (String word : words) {
                if (word.startsWith(mark(unit))) {
                    seen = ProcessedRanges.parse(word.substring(mark(unit).length()));
                }
            }
            return new UnitPosition(unit, position, Long.parseLong(words[0]), seen);
        } catch (IllegalArgumentException e) {
            return new UnitPosition(unit, position, Long.MIN_VALUE);
        }
    }

    boolean isReleased() {
        return end.isDone();
    }

    @Override
    public void released() {
        end.complete(null);
    }
}
