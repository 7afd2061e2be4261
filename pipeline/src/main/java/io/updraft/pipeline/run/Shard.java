package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.Aggregator;
import java.util.LinkedHashMap;
import java.util.Map;

/** An aggregator and the units that feed it: those of a group, if groups are aggregated on their own, else all of the task. */
final class Shard {

    private final Aggregator aggregator;
    private final Unit.Group group;
    private final Map<Unit, UnitState> units = new LinkedHashMap<>();
    private final long disorder;
    private final long slide;
    private final long lateness;
    private long closed = Long.MIN_VALUE;
    private long forgotten = Long.MIN_VALUE;
    private long lastEnd = Long.MIN_VALUE;
    private long sentDone = Long.MIN_VALUE;

    /** Of units that were forgotten. */
    private long latestForgotten = Long.MIN_VALUE;

    private long doneForgotten;

    /**
     * A shard.
     *
     * @param group of the units, or null if there may be several
     * @param disorder milliseconds that rows may come after later ones
     * @param slide milliseconds from one window's end to the next one's
     * @param lateness milliseconds after its end that a window takes rows
     */
    Shard(Aggregator aggregator, Unit.Group group, long disorder, long slide, long lateness) {
        this.aggregator = aggregator;
        this.group = group;
        this.disorder = disorder;
        this.slide = slide;
        this.lateness = lateness;
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

    /** Whether it is the time of one unit alone that closes windows. */
    boolean isOfOneUnit() {
        return group != null && units.size() == 1;
    }

    /** Opens a unit; rows for windows that end at or before {@code closedUntil} are not taken: an earlier run has written them. */
    void open(Unit unit, UnitState state, long closedUntil) {
        units.put(unit, state);
        if (closedUntil > forgotten) {
            // Nothing is in these windows yet, as each unit is opened before its records come; units that were opened
            // earlier have the same bound, since all of a run's positions are committed together.
            aggregator.close(closedUntil + lateness);
            closed = Math.max(closed, closedUntil + lateness);
            forgotten = closedUntil;
        }
    }

    /**
     * The time that no row still to come is expected to lie before: the earliest of the units that have rows to come now. If there
     * are none, the latest of those that may have later, which is Flink's rule too; the clock says nothing of the time of rows to come. If
     * all have ended, the end of time.
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
        long latest = latestForgotten;
        for (UnitState unit : units.values()) {
            latest = Math.max(latest, unit.latest());
        }
        return minus(latest, disorder);
    }

    /** A time less so many milliseconds; of no time, none. */
    static long minus(long time, long disorder) {
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

    /** Whether there are units with records to come, but none has had one for a while. */
    boolean isQuiet() {
        return units.values().stream().noneMatch(UnitState::isActive) && !haveAllEnded();
    }

    boolean haveAllEnded() {
        return units.values().stream().allMatch(UnitState::isEnded);
    }

    /** Whether a unit has ended, is done, and may be forgotten once that was said. */
    static boolean isOver(Unit unit, UnitState state) {
        return state.isDone() && unit.isOver(state.done());
    }

    /** Whether that can be said of any. */
    boolean hasOver() {
        return units.entrySet().stream().anyMatch(each -> isOver(each.getKey(), each.getValue()));
    }

    /** Forgets the units of which it was said. */
    void forgetOver() {
        units.entrySet().removeIf(each -> {
            UnitState state = each.getValue();
            boolean over = isOver(each.getKey(), state);
            if (over) {
                latestForgotten = Math.max(latestForgotten, state.latest());
                doneForgotten += state.done();
            }
            return over;
        });
    }

    /** Where all rows have the clock's time, those to come of any unit do. */
    void sawTime(long time) {
        units.values().forEach(unit -> unit.sawTime(time));
        if (latestForgotten != Long.MIN_VALUE) {
            latestForgotten = time;
        }
    }

    /** A window that ends then has taken a row. */
    void took(long end) {
        lastEnd = Math.max(lastEnd, end);
    }

    /** Windows were closed. At the end of time, those are that have taken rows; of later ones nothing is known. */
    void closed(long watermark) {
        closed = watermark;
        forgotten = Math.max(forgotten, watermark == Long.MAX_VALUE ? lastEnd : watermark - lateness);
    }

    /** Windows that end at or before this take no more rows, in this run or a later one. */
    long forgotten() {
        return forgotten;
    }

    long closed() {
        return closed;
    }

    /** Whether positions have got on since the last call: their sum can only grow. */
    boolean gotOn() {
        long sum = doneForgotten;
        for (UnitState unit : units.values()) {
            sum += unit.done();
        }
        boolean further = sum != sentDone;
        sentDone = sum;
        return further;
    }
}
