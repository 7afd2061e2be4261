package io.updraft.pipeline.writing;

import io.updraft.pipeline.aggregation.AggregateOutput;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.UnitPosition;
import io.updraft.pipeline.plan.AggregationPlan;
import io.updraft.pipeline.unit.Unit;
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
 * The positions of units: those to commit with the next results, and those that were committed last. While positions are held,
 * results are committed with the positions at which that began. One thread.
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
    /** The position of each unit, to commit or committed. */
    private final Map<Unit, Position> positions = new LinkedHashMap<>();

    private final Map<Unit, Position> committed = new HashMap<>();
    /** Units whose positions differ from those that were committed. */
    private final Set<Unit> uncommitted = new LinkedHashSet<>();
    /** Units whose positions lack rows that tasks have handled. */
    private final Set<Unit> unsettled = new LinkedHashSet<>();
    /** The seen rows of each unit, from the position to commit on. */
    private final Map<Unit, ProcessedRanges> seen = new HashMap<>();

    /** Units that can be forgotten when their positions are committed. */
    private final Set<Unit> over = new HashSet<>();
    /** Groups with a claim that may have results in flight. */
    private final Set<Unit.Group> claimed = new HashSet<>();
    /** The times that hold for all units, if tasks share them; null if not. */
    private ClosedTimes ofAll;

    private boolean settled = true;

    private boolean holds;
    /** While positions are held: what was done and seen of each unit before. */
    private final Map<Unit, Long> heldDone = new HashMap<>();

    private final Map<Unit, ProcessedRanges> heldSeen = new HashMap<>();
    /** What is committed instead of positions that are held. */
    private final Map<Unit, Position> held = new HashMap<>();

    PositionLedger(AggregationPlan plan) {
        windows = plan.windowFingerprint();
        ofRecords = plan.time().isOfRecords();
    }

    /**
     * Holds positions, or no longer. Positions that are held do not pass records that are handled from now on, and these are
     * not seen: the next run reads them again.
     */
    void hold(boolean begin) {
        if (begin && !holds) {
            positions.forEach((unit, position) -> heldDone.put(unit, position.done()));
            heldSeen.putAll(seen);
        } else if (!begin) {
            List.of(heldDone, heldSeen, held).forEach(Map::clear);
        }
        holds = begin;
    }

    /** Records the stretches of units that a task has handled. */
    void handled(Map<Unit, ProcessedRanges> handled) {
        handled.forEach((unit, more) -> {
            seen.put(unit, seen.getOrDefault(unit, unit.seen()).handled(more));
            unsettled.add(unit);
        });
    }

    /**
     * Sets the positions that are done, and the times up to which windows accept no more rows, and up to which results of ended
     * windows are emitted.
     */
    void set(Map<Unit, Long> done, long forgottenUntil, long emittedUntil) {
        long closedUntil = ofRecords ? forgottenUntil : Long.MIN_VALUE;
        done.forEach((unit, reported) -> {
            boolean isOver = reported >= AggregateOutput.OVER;
            if (isOver) {
                over.add(unit);
            } else {
                over.remove(unit);
            }
            if (unit.group().claim() != null) {
                claimed.add(unit.group());
            }
            long position = unit.toCommit(isOver ? reported - AggregateOutput.OVER : reported);
            put(unit, position, new ClosedTimes(closedUntil, emittedUntil));
        });
    }

    private void put(Unit unit, long position, ClosedTimes times) {
        ProcessedRanges left = seen.getOrDefault(unit, unit.seen()).from(position);
        seen.put(unit, left);
        positions.put(
                unit,
                new Position(position, times.closedUntil, left.closedUntil(times.closedUntil, times.emittedUntil)));
        if (holds) {
            long before = unit.toCommit(heldDone.computeIfAbsent(unit, opened -> firstPosition(opened, position)));
            ProcessedRanges seenBefore = heldSeen.getOrDefault(unit, unit.seen());
            held.put(
                    unit,
                    new Position(
                            before, times.closedUntil, seenBefore.closedUntil(times.closedUntil, times.emittedUntil)));
        }
        uncommitted.add(unit);
    }

    /** Returns where a unit begins that is reported for the first time, which may be after some of its records. */
    private static long firstPosition(Unit unit, long reported) {
        long begin = unit.begin().get();
        return begin < 0 ? reported : begin;
    }

    /** Returns the position to commit of a unit: while positions are held, not the one that tasks have reported. */
    private Position toCommit(Unit unit) {
        return held.getOrDefault(unit, positions.get(unit));
    }

    /** Sets the times for all units, also for those without a report. They hold once the positions are settled. */
    void closeAll(long forgottenUntil, long emittedUntil) {
        ClosedTimes times = new ClosedTimes(ofRecords ? forgottenUntil : Long.MIN_VALUE, emittedUntil);
        settled &= times.equals(ofAll);
        ofAll = times;
    }

    /** Brings the positions of all units up to the last report. Called before a commit, since it takes a step for each unit. */
    void settle() {
        if (ofAll != null) {
            for (Unit unit : List.copyOf(settled ? unsettled : positions.keySet())) {
                if (positions.containsKey(unit)) {
                    put(unit, positions.get(unit).done(), ofAll);
                }
            }
        }
        settled = true;
        unsettled.clear();
    }

    /** Closes windows up to a time. False if a unit's position is unknown, or if the clock decides the windows of rows. */
    boolean closeUntil(long end, Set<Unit> units) {
        if (!ofRecords || !knows(units)) {
            return false;
        }
        Map<Unit, Long> done = new LinkedHashMap<>();
        units.forEach(unit -> done.put(unit, positions.get(unit).done()));
        set(done, end, end);
        return true;
    }

    boolean knows(Set<Unit> units) {
        return positions.keySet().containsAll(units);
    }

    /** Returns whether the position of a group has advanced. */
    boolean mustCommit(boolean last) {
        return uncommitted.stream().anyMatch(unit -> hasAdvanced(unit, last));
    }

    /**
     * Returns the commits of groups whose positions have advanced, and of groups with results: their claims are the right to
     * write. All units of a group are committed together, since a coordinator stores them together.
     *
     * @param written the groups with results; null stands for all groups
     * @param last whether no more results come
     */
    List<UnitPosition> toCommit(Set<Unit.Group> written, boolean last) {
        return new ArrayList<>(
                commits(positions.keySet(), concerned(written, last)).values());
    }

    /** Takes the positions as committed, and returns those that have changed, for the source. */
    Map<Unit, UnitPosition> commit(Set<Unit.Group> written, boolean last) {
        Map<Unit, UnitPosition> commits = commits(uncommitted, concerned(written, last));
        commits.keySet().forEach(unit -> committed.put(unit, toCommit(unit)));
        if (holds) {
            return commits;
        }
        uncommitted.removeAll(commits.keySet());
        over.forEach(this::forget);
        over.clear();
        return commits;
    }

    private void forget(Unit unit) {
        positions.remove(unit);
        committed.remove(unit);
        uncommitted.remove(unit);
        seen.remove(unit);
    }

    private Map<Unit, UnitPosition> commits(Set<Unit> units, Predicate<Unit> concerned) {
        Map<Unit, UnitPosition> commits = new LinkedHashMap<>();
        for (Unit unit : units) {
            if (concerned.test(unit)) {
                Position position = toCommit(unit);
                commits.put(
                        unit,
                        new UnitPosition(
                                unit.name(),
                                position.done(),
                                position.closedUntil(),
                                position.seen().of(isUntouched(position) ? "" : windows),
                                unit.group().claim(),
                                unit.fingerprints().apply(position.done())));
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

    private Predicate<Unit> concerned(Set<Unit.Group> written, boolean last) {
        Set<Unit.Group> concerned = new HashSet<>(written);
        for (Unit unit : uncommitted) {
            if (hasAdvanced(unit, last)) {
                concerned.add(unit.group());
            }
        }
        boolean all = concerned.contains(null);
        return unit -> all || concerned.contains(unit.group());
    }

    private boolean hasAdvanced(Unit unit, boolean last) {
        // Rows that have become late since are late again after a crash, which is worth a commit only at the end.
        Position before = committed.get(unit);
        Position position = toCommit(unit);
        return !holds && over.contains(unit) || (last ? !position.equals(before) : !position.isAsFarAs(before));
    }

    /** Forgets the units of groups. */
    void drop(Predicate<Unit.Group> which) {
        for (Set<Unit> units : List.of(
                positions.keySet(),
                committed.keySet(),
                uncommitted,
                unsettled,
                seen.keySet(),
                over,
                heldDone.keySet(),
                heldSeen.keySet(),
                held.keySet())) {
            units.removeIf(unit -> which.test(unit.group()));
        }
        claimed.removeIf(which);
    }

    /** Releases all claims: nothing more will be written. */
    void release() {
        claimed.forEach(group -> group.claim().released());
        claimed.clear();
    }

    /** Returns how many entries for units are in memory. */
    int units() {
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
