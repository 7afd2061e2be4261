package io.updraft.pipeline.source;

import io.updraft.kafka.reader.LogMark;
import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.Progress;
import io.updraft.kafka.units.UnitCommit;
import io.updraft.kafka.units.UnitPartition;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The right to a work unit of Kafka, and what is needed to commit how far its partitions are done. Immutable but for its end. */
public final class KafkaClaim implements Source.Claim {

    /** Of a time in milliseconds, with its sign. */
    private static final int MOST_DIGITS = 20;

    private final Coordinator coordinator;
    private final Ownership ownership;
    private final Map<String, UnitPartition> partitions;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    /** Of each partition that is read, by unit. Written by the thread that reads, read by the one that commits. */
    private final Map<String, LogMark> logs = new ConcurrentHashMap<>();

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
     * @param commits of units of the source; those with a position below 0 are of partitions of which nothing was read yet, and are left out
     * @return empty if nothing was read of any of them yet
     */
    public Optional<UnitCommit> commit(Collection<Commit> commits) {
        Map<UnitPartition, Long> offsets = new TreeMap<>();
        long closedUntil = Long.MIN_VALUE;
        StringBuilder seen = new StringBuilder();
        for (Commit commit : commits) {
            if (commit.position() >= 0) {
                offsets.put(partitions.get(commit.unit()), commit.position());
                closedUntil = Math.max(closedUntil, commit.closedUntil());
                append(seen, commit.unit(), commit.seen());
            }
        }
        return offsets.isEmpty()
                ? Optional.empty()
                : Optional.of(new UnitCommit(ownership, new Progress(offsets, closedUntil + seen.toString())));
    }

    /** As much of it as there is room for beside the other partitions': a row that is not in it counts as late when it is read again. */
    private void append(StringBuilder to, String unit, Seen seen) {
        String log = " " + logMark(unit) + logs.getOrDefault(unit, LogMark.NONE).text();
        to.append(log);
        String head = " " + mark(unit);
        int room = (Progress.MAX_METADATA - MOST_DIGITS) / partitions.size() - head.length() - log.length();
        String text = seen.text(Math.max(0, room));
        if (!text.isEmpty()) {
            to.append(head).append(text);
        }
    }

    /** Stands for a partition in metadata, where there is no room for its name. */
    private static String mark(String unit) {
        return Integer.toHexString(unit.hashCode()) + "=";
    }

    private static String logMark(String unit) {
        return Integer.toHexString(unit.hashCode()) + "@";
    }

    /** The log that a unit is read from. A newer epoch than that of the position that is committed is as good. */
    void reads(String unit, LogMark log) {
        logs.put(unit, log);
    }

    /** The log that {@link #commit} has written of a unit. */
    static LogMark readLog(Progress progress, String unit) {
        for (String word : progress.metadata().split(" ")) {
            if (word.startsWith(logMark(unit))) {
                return LogMark.parse(word.substring(logMark(unit).length()));
            }
        }
        return LogMark.NONE;
    }

    /** What {@link #commit} has written of a unit; no windows if it was not that. */
    static Commit read(Progress progress, String unit, long position) {
        String[] words = progress.metadata().split(" ");
        try {
            Seen seen = Seen.NONE;
            for (String word : words) {
                if (word.startsWith(mark(unit))) {
                    seen = Seen.parse(word.substring(mark(unit).length()));
                }
            }
            return new Commit(unit, position, Long.parseLong(words[0]), seen);
        } catch (IllegalArgumentException e) {
            return new Commit(unit, position, Long.MIN_VALUE);
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
