package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.Aggregator;
import java.util.HashMap;
import java.util.Map;

/** An aggregator and the units that feed it: those of a group, if groups are aggregated on their own, else all of the task. */
final class Shard {

    private final Aggregator aggregator;
    private final Unit.Group group;
    private final Map<Unit, UnitState> units = new HashMap<>();
    private final long disorder;
    private final long slide;
    private long closed = Long.MIN_VALUE;
    private long closedBefore = Long.MIN_VALUE;
    private long sentDone = Long.MIN_VALUE;

    /**
     * A shard.
     *
     * @param group of the units, or null if there may be several
     * @param disorder milliseconds that rows may come after later ones
     * @param slide milliseconds from one window's end to the next one's
     */
    Shard(Aggregator aggregator, Unit.Group group, long disorder, long slide) {
        this.aggregator = aggregator;
        this.group = group;
        this.disorder = disorder;
        this.slide = slide;
    }

    Aggregator aggregator() {
        return aggregator;
    }

    Unit.Group group() {
        return group;
    }

    Map<Unit, UnitState> units() {
        return units;
    }

    /** Opens a unit; rows for windows that were closed before it was are not taken. */
    void open(Unit unit, UnitState state) {
        units.put(unit, state);
        if (state.closedBefore() > closed) {
            // Nothing is in these windows yet, as each unit is opened before its records come; units that were opened
            // earlier have the same bound, since all of a run's positions are committed together.
            aggregator.close(state.closedBefore());
            closed = state.closedBefore();
            closedBefore = closed;
        }
    }

    /** Windows that end at or before this were written by an earlier run. */
    long closedBefore() {
        return closedBefore;
    }

    /**
     * The time that no row still to come is expected to lie before: the earliest of the units that have rows to come now. If there
     * are none, the latest of those that may have later; if all have ended, the end of time.
     */
    long watermark() {
        long earliest = Long.MAX_VALUE;
        long latestIdle = Long.MIN_VALUE;
        boolean allEnded = true;
        boolean anyActive = false;
        for (UnitState unit : units.values()) {
            allEnded &= unit.isEnded();
            if (unit.isActive()) {
                anyActive = true;
                earliest = Math.min(earliest, unit.latest());
            } else if (!unit.isEnded()) {
                latestIdle = Math.max(latestIdle, unit.latest());
            }
        }
        if (anyActive) {
            return minus(earliest, disorder);
        }
        return allEnded ? endOfUnits() : minus(latestIdle, disorder);
    }

    /** If groups are aggregated on their own, one whose units have ended is done. If not, other units may still come. */
    private long endOfUnits() {
        if (group != null) {
            return Long.MAX_VALUE;
        }
        long latest = Long.MIN_VALUE;
        for (UnitState unit : units.values()) {
            latest = Math.max(latest, unit.latest());
        }
        return minus(latest, disorder);
    }

    private static long minus(long time, long disorder) {
        return time == Long.MIN_VALUE ? time : time - disorder;
    }

    /** Whether a window may have ended since the last call that said so, if time has come to {@code watermark}. */
    boolean passes(long watermark) {
        if (watermark <= closed) {
            return false;
        }
        return closed == Long.MIN_VALUE
                || watermark == Long.MAX_VALUE
                || Math.floorDiv(watermark, slide) > Math.floorDiv(closed, slide);
    }

    boolean haveAllEnded() {
        return units.values().stream().allMatch(UnitState::isEnded);
    }

    void closed(long watermark) {
        closed = watermark;
    }

    long closed() {
        return closed;
    }

    /** Whether positions have got on since the last call: their sum can only grow. */
    boolean gotOn() {
        long sum = 0;
        for (UnitState unit : units.values()) {
            sum += unit.done();
        }
        boolean further = sum != sentDone;
        sentDone = sum;
        return further;
    }
}
