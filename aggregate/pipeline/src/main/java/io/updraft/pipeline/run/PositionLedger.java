package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The positions of partitions: those to commit with the next results, and those that were committed last. While positions are held,
 * results are committed with the positions at which that began. Not thread-safe.
 */
final class PositionLedger {

    private record Position(long done, long closedUntil, ProcessedRanges seen) {
        boolean isAsFarAs(Position other) {
            return other != null && done == other.done && closedUntil == other.closedUntil;
        }
    }

    /** Windows accept no more rows up to a time, and the results of ended windows are emitted up to a time. */
    private record ClosedTimes(long closedUntil, long emittedUntil) {}

    private final String windows;
    private final boolean ofRecords;
    /** The position of each partition, to commit or committed. */
    private final Map<Partition, Position> positions = new LinkedHashMap<>();

    private final Map<Partition, Position> committed = new HashMap<>();
    /** Partitions whose positions differ from those that were committed. */
    private final Set<Partition> uncommitted = new LinkedHashSet<>();
    /** Partitions whose positions lack rows that tasks have handled. */
    private final Set<Partition> unsettled = new LinkedHashSet<>();
    /** The seen rows of each partition, from the position to commit on. */
    private final Map<Partition, ProcessedRanges> seen = new HashMap<>();

    /** Partitions that can be forgotten when their positions are committed. */
    private final Set<Partition> over = new HashSet<>();
    /** Groups with an ownership that may have results in flight. */
    private final Set<Partition.Share> owned = new HashSet<>();
    /** The times that hold for all partitions, if tasks share them; null if not. */
    private ClosedTimes ofAll;

    private boolean settled = true;

    private boolean holds;
    /** While positions are held: what was done and seen of each partition before. */
    private final Map<Partition, Long> heldDone = new HashMap<>();

    private final Map<Partition, ProcessedRanges> heldSeen = new HashMap<>();
    /** What is committed instead of positions that are held. */
    private final Map<Partition, Position> held = new HashMap<>();

    PositionLedger(RunPlan.Aggregation plan) {
        windows = plan.windowFingerprint();
        ofRecords = plan.time().isOfRecords();
    }

    /**
     * Holds positions, or no longer. Positions that are held do not pass records that are handled from now on, and these are
     * not seen: the next run reads them again.
     */
    void hold(boolean begin) {
        if (begin && !holds) {
            positions.forEach((partition, position) -> heldDone.put(partition, position.done()));
            heldSeen.putAll(seen);
        } else if (!begin) {
            List.of(heldDone, heldSeen, held).forEach(Map::clear);
        }
        holds = begin;
    }

    /** Records the stretches of partitions that a task has handled. */
    void handled(Map<Partition, ProcessedRanges> handled) {
        handled.forEach((partition, more) -> {
            seen.put(partition, seen.getOrDefault(partition, partition.seen()).handled(more));
            unsettled.add(partition);
        });
    }

    /**
     * Sets the positions that are done, and the times up to which windows accept no more rows, and up to which results of ended
     * windows are emitted.
     */
    void set(Map<Partition, Long> done, long forgottenUntil, long emittedUntil) {
        long closedUntil = ofRecords ? forgottenUntil : Long.MIN_VALUE;
        done.forEach((partition, reported) -> {
            boolean isOver = reported >= AggregateOutput.OVER;
            if (isOver) {
                over.add(partition);
            } else {
                over.remove(partition);
            }
            if (partition.share().ownership() != null) {
                owned.add(partition.share());
            }
            long position = partition.toCommit(isOver ? reported - AggregateOutput.OVER : reported);
            put(partition, position, new ClosedTimes(closedUntil, emittedUntil));
        });
    }

    private void put(Partition partition, long position, ClosedTimes times) {
        ProcessedRanges left = seen.getOrDefault(partition, partition.seen()).from(position);
        seen.put(partition, left);
        positions.put(
                partition,
                new Position(position, times.closedUntil, left.closedUntil(times.closedUntil, times.emittedUntil)));
        if (holds) {
            long before =
                    partition.toCommit(heldDone.computeIfAbsent(partition, opened -> firstPosition(opened, position)));
            ProcessedRanges seenBefore = heldSeen.getOrDefault(partition, partition.seen());
            held.put(
                    partition,
                    new Position(
                            before, times.closedUntil, seenBefore.closedUntil(times.closedUntil, times.emittedUntil)));
        }
        uncommitted.add(partition);
    }

    /** Returns where a partition begins that is reported for the first time, which may be after some of its records. */
    private static long firstPosition(Partition partition, long reported) {
        long begin = partition.begin().get();
        return begin < 0 ? reported : begin;
    }

    /** Returns the position to commit of a partition: while positions are held, not the one that tasks have reported. */
    private Position toCommit(Partition partition) {
        return held.getOrDefault(partition, positions.get(partition));
    }

    /** Sets the times for all partitions, also for those without a report. They hold once the positions are settled. */
    void closeAll(long forgottenUntil, long emittedUntil) {
        ClosedTimes times = new ClosedTimes(ofRecords ? forgottenUntil : Long.MIN_VALUE, emittedUntil);
        settled &= times.equals(ofAll);
        ofAll = times;
    }

    /** Brings the positions of all partitions up to the last report. Called before a commit, since it takes a step for each partition. */
    void settle() {
        if (ofAll != null) {
            for (Partition partition : List.copyOf(settled ? unsettled : positions.keySet())) {
                if (positions.containsKey(partition)) {
                    put(partition, positions.get(partition).done(), ofAll);
                }
            }
        }
        settled = true;
        unsettled.clear();
    }

    /** Closes windows up to a time. False if a partition's position is unknown, or if the clock decides the windows of rows. */
    boolean closeUntil(long end, Set<Partition> partitions) {
        if (!ofRecords || !knows(partitions)) {
            return false;
        }
        Map<Partition, Long> done = new LinkedHashMap<>();
        partitions.forEach(
                partition -> done.put(partition, positions.get(partition).done()));
        set(done, end, end);
        return true;
    }

    boolean knows(Set<Partition> partitions) {
        return positions.keySet().containsAll(partitions);
    }

    /** Returns whether the position of a share has advanced. */
    boolean mustCommit(boolean last) {
        return uncommitted.stream().anyMatch(partition -> hasAdvanced(partition, last));
    }

    /**
     * Returns the commits of shares whose positions have advanced, and of shares with results: their ownerships are the right to
     * write. All partitions of a share are committed together, since a coordinator stores them together.
     *
     * @param written the shares with results; null stands for all shares
     * @param last whether no more results come
     */
    List<PartitionPosition> toCommit(Set<Partition.Share> written, boolean last) {
        return new ArrayList<>(
                commits(positions.keySet(), concerned(written, last)).values());
    }

    /** Takes the positions as committed, and returns those that have changed, for the source. */
    Map<Partition, PartitionPosition> commit(Set<Partition.Share> written, boolean last) {
        Map<Partition, PartitionPosition> commits = commits(uncommitted, concerned(written, last));
        commits.keySet().forEach(partition -> committed.put(partition, toCommit(partition)));
        if (holds) {
            return commits;
        }
        uncommitted.removeAll(commits.keySet());
        over.forEach(this::forget);
        over.clear();
        return commits;
    }

    private void forget(Partition partition) {
        positions.remove(partition);
        committed.remove(partition);
        uncommitted.remove(partition);
        seen.remove(partition);
    }

    private Map<Partition, PartitionPosition> commits(Set<Partition> partitions, Predicate<Partition> concerned) {
        Map<Partition, PartitionPosition> commits = new LinkedHashMap<>();
        for (Partition partition : partitions) {
            if (concerned.test(partition)) {
                Position position = toCommit(partition);
                commits.put(
                        partition,
                        new PartitionPosition(
                                partition.name(),
                                position.done(),
                                position.closedUntil(),
                                position.seen().of(isUntouched(position) ? "" : windows),
                                partition.share().ownership(),
                                partition.fingerprints().apply(position.done())));
            }
        }
        return commits;
    }

    /** Returns whether nothing was counted yet, so that the next run may have other windows. */
    private boolean isUntouched(Position position) {
        return ofRecords
                && position.closedUntil() == Long.MIN_VALUE
                && position.seen().stretches().isEmpty();
    }

    private Predicate<Partition> concerned(Set<Partition.Share> written, boolean last) {
        Set<Partition.Share> concerned = new HashSet<>(written);
        for (Partition partition : uncommitted) {
            if (hasAdvanced(partition, last)) {
                concerned.add(partition.share());
            }
        }
        boolean concernsAll = concerned.contains(null);
        return partition -> concernsAll || concerned.contains(partition.share());
    }

    private boolean hasAdvanced(Partition partition, boolean last) {
        // Rows that have become late since are late again after a crash, which is worth a commit only at the end.
        Position before = committed.get(partition);
        Position position = toCommit(partition);
        return !holds && over.contains(partition) || (last ? !position.equals(before) : !position.isAsFarAs(before));
    }

    /** Forgets the partitions of shares. */
    void drop(Predicate<Partition.Share> isDropped) {
        for (Set<Partition> partitions : List.of(
                positions.keySet(),
                committed.keySet(),
                uncommitted,
                unsettled,
                seen.keySet(),
                over,
                heldDone.keySet(),
                heldSeen.keySet(),
                held.keySet())) {
            partitions.removeIf(partition -> isDropped.test(partition.share()));
        }
        owned.removeIf(isDropped);
    }

    /** Releases all ownerships: nothing more will be written. */
    void release() {
        owned.forEach(share -> share.ownership().released());
        owned.clear();
    }

    /** Returns how many entries for partitions are in memory. */
    int partitions() {
        return committed.size()
                + seen.size()
                + positions.size()
                + over.size()
                + uncommitted.size()
                + unsettled.size()
                + heldDone.size()
                + heldSeen.size()
                + held.size();
    }
}
