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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

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

    private final String windows;
    private final boolean ofRecords;
    private final Map<Unit, Position> positions = new LinkedHashMap<>();
    private final Map<Unit, Position> committed = new LinkedHashMap<>();
    /** The seen rows of each unit, from the position to commit on. */
    private final Map<Unit, ProcessedRanges> seen = new HashMap<>();

    /** Units that can be forgotten when their positions are committed. */
    private final Set<Unit> over = new HashSet<>();
    /** Groups with a claim that may have results in flight. */
    private final Set<Unit.Group> claimed = new HashSet<>();

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
            known().forEach((unit, position) -> heldDone.put(unit, position.done()));
            heldSeen.putAll(seen);
        } else if (!begin) {
            List.of(heldDone, heldSeen, held).forEach(Map::clear);
        }
        holds = begin;
    }

    /** Records the stretches of units that a task has handled. */
    void handled(Map<Unit, ProcessedRanges> handled) {
        handled.forEach((unit, more) ->
                seen.put(unit, seen.getOrDefault(unit, unit.seen()).handled(more)));
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
            ProcessedRanges left = seen.getOrDefault(unit, unit.seen()).from(position);
            seen.put(unit, left);
            positions.put(unit, new Position(position, closedUntil, left.closedUntil(closedUntil, emittedUntil)));
            if (holds) {
                long before = unit.toCommit(heldDone.computeIfAbsent(unit, opened -> position));
                ProcessedRanges seenBefore = heldSeen.getOrDefault(unit, unit.seen());
                held.put(unit, new Position(before, closedUntil, seenBefore.closedUntil(closedUntil, emittedUntil)));
            }
        });
    }

    /** Closes windows up to a time. False if a unit's position is unknown, or if the clock decides the windows of rows. */
    boolean closeUntil(long end, Set<Unit> units) {
        if (!ofRecords || !knows(units)) {
            return false;
        }
        Map<Unit, Position> known = known();
        Map<Unit, Long> done = new LinkedHashMap<>();
        units.forEach(unit -> done.put(unit, known.get(unit).done()));
        set(done, end, end);
        return true;
    }

    boolean knows(Set<Unit> units) {
        return known().keySet().containsAll(units);
    }

    private Map<Unit, Position> known() {
        Map<Unit, Position> known = new LinkedHashMap<>(committed);
        known.putAll(positions);
        return known;
    }

    /**
     * Returns the commits of groups whose positions have advanced, and of groups with results: their claims are the right to
     * write. All units of a group are committed together, since a coordinator stores them together.
     *
     * @param written the groups with results; null stands for all groups
     * @param last whether no more results come
     */
    List<UnitPosition> toCommit(Set<Unit.Group> written, boolean last) {
        return new ArrayList<>(commits(known(), concerned(written, last)).values());
    }

    /** Takes the positions as committed, and returns those that have changed, for the source. */
    Map<Unit, UnitPosition> commit(Set<Unit.Group> written, boolean last) {
        Map<Unit, UnitPosition> commits = commits(positions, concerned(written, last));
        commits.keySet().forEach(unit -> committed.put(unit, held.getOrDefault(unit, positions.get(unit))));
        if (holds) {
            return commits;
        }
        positions.clear();
        committed.keySet().removeAll(over);
        seen.keySet().removeAll(over);
        over.clear();
        return commits;
    }

    private Map<Unit, UnitPosition> commits(Map<Unit, Position> of, Predicate<Unit> concerned) {
        Map<Unit, UnitPosition> commits = new LinkedHashMap<>();
        of.forEach((unit, current) -> {
            if (concerned.test(unit)) {
                Position position = held.getOrDefault(unit, current);
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
        });
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
        positions.forEach((unit, current) -> {
            // Rows that have become late since are late again after a crash, which is worth a commit only at the end.
            Position position = held.getOrDefault(unit, current);
            Position before = committed.get(unit);
            if (!holds && over.contains(unit) || (last ? !position.equals(before) : !position.isAsFarAs(before))) {
                concerned.add(unit.group());
            }
        });
        boolean all = concerned.contains(null);
        return unit -> all || concerned.contains(unit.group());
    }

    /** Forgets the units of groups. */
    void drop(Predicate<Unit.Group> which) {
        Stream.of(positions, committed, seen, heldDone, heldSeen, held)
                .map(Map::keySet)
                .forEach(units -> units.removeIf(unit -> which.test(unit.group())));
        over.removeIf(unit -> which.test(unit.group()));
        claimed.removeIf(which);
    }

    /** Releases all claims: nothing more will be written. */
    void release() {
        claimed.forEach(group -> group.claim().released());
        claimed.clear();
    }

    /** Returns how many entries for units are in memory. */
    int units() {
        return committed.size() + seen.size() + positions.size() + over.size() + heldDone.size() + heldSeen.size();
    }
}
