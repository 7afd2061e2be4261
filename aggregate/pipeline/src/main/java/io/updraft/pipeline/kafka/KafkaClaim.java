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
        Map<UnitPartition, String> details = new TreeMap<>();
        long closedUntil = Long.MIN_VALUE;
        for (UnitPosition commit : commits) {
            if (commit.position() >= 0) {
                UnitPartition partition = partitions.get(commit.unit());
                offsets.put(partition, commit.position());
                details.put(partition, detail(commit));
                closedUntil = Math.max(closedUntil, commit.closedUntil());
            }
        }
        return offsets.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new UnitCommit(ownership, new UnitProgress(offsets, Long.toString(closedUntil), details)));
    }

    /** Returns the log and what fits of the handled rows. A row that does not fit counts as late when read again. */
    private String detail(UnitPosition commit) {
        String log = logs.getOrDefault(commit.unit(), LogIdentity.NONE).text();
        return log + " " + commit.processed().text(UnitProgress.MAX_METADATA - MAX_DIGITS - log.length() - 1);
    }

    /** Records the log that a unit is read from. Its epoch may be newer than the one of the committed position. */
    void setLog(String unit, LogIdentity log) {
        logs.put(unit, log);
    }

    /** Returns the log of a partition from the progress that {@link #commit} has written. */
    static LogIdentity readLog(UnitProgress progress, UnitPartition partition, String unit) {
        String detail = progress.details().get(partition);
        return LogIdentity.parse(detail == null ? formerWord(progress, unit, '@') : detail.split(" ")[0]);
    }

    /** Returns the commit of a partition from the progress that {@link #commit} has written; without windows for any other. */
    static UnitPosition read(UnitProgress progress, UnitPartition partition, String unit, long position) {
        try {
            String detail = progress.details().get(partition);
            String seen = detail == null ? formerWord(progress, unit, '=') : detail.substring(detail.indexOf(' ') + 1);
            long closedUntil = Long.parseLong(progress.metadata().split(" ")[0]);
            return new UnitPosition(unit, position, closedUntil, ProcessedRanges.parse(seen));
        } catch (IllegalArgumentException e) {
            return new UnitPosition(unit, position, Long.MIN_VALUE);
        }
    }

    /** Returns what older versions stored of a partition in the unit's metadata, under a hash of its name; empty if nothing. */
    private static String formerWord(UnitProgress progress, String unit, char kind) {
        String mark = Integer.toHexString(unit.hashCode()) + kind;
        String found = "";
        for (String word : progress.metadata().split(" ")) {
            found = word.startsWith(mark) ? word.substring(mark.length()) : found;
        }
        return found;
    }

    boolean isReleased() {
        return end.isDone();
    }

    @Override
    public void released() {
        end.complete(null);
    }
}
