package io.updraft.pipeline.aggregation;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.counter.UsedRecords;
import io.updraft.pipeline.unit.Unit;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.query.PartialResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An aggregator and the units that feed it: those of a group if groups are aggregated on their own, else all units of the task.
 */
final class AggregationShard {

    /**
     * Windows that the watermark has passed, with the time up to which windows accept no more rows.
     *
     * @param before the results contain the rows of each unit before this position
     * @param restored parts of windows that have not changed since an earlier run wrote them
     */
    private record Closing(
            long closed, long forgotten, long before, List<PartialResult> results, List<PartialResult> restored) {}

    final Aggregator aggregator;
    private final Unit.Group group;
    final Map<Unit, UnitState> units = new LinkedHashMap<>();
    private final long disorder;
    private final WindowBounds bounds;
    private final List<Closing> closings = new ArrayList<>();
    private long closed = Long.MIN_VALUE;
    /** Up to when this run has closed windows: the results of earlier runs are not in its reports. */
    private long closedHere = Long.MIN_VALUE;

    private long forgotten = Long.MIN_VALUE;
    private long lastEnd = Long.MIN_VALUE;
    private long sentDone = Long.MIN_VALUE;

    /** The latest time of units that were forgotten. */
    private long latestForgotten = Long.MIN_VALUE;

    private long doneForgotten;

    /**
     * Creates a shard.
     *
     * @param group the group of the units; null if there may be several
     */
    AggregationShard(Aggregator aggregator, Unit.Group group, long disorder, WindowBounds bounds) {
        this.aggregator = aggregator;
        this.group = group;
        this.disorder = disorder;
        this.bounds = bounds;
    }

    /** Returns whether the time of one unit alone closes windows. */
    boolean isOfOneUnit() {
        return units.size() == 1;
    }

    /**
     * Opens a unit, or continues one that has ended. Refuses rows for windows that end by {@code closedUntil}, which an earlier
     * run has written.
     */
    void open(Unit unit, UnitState state, long closedUntil) {
        units.merge(unit, state, (before, opened) -> before).reopen();
        if (closedUntil > forgotten) {
            // These windows are still empty, since each unit is opened before its records come. Units that were opened
            // earlier have the same bound, since all positions of a run are committed together.
            aggregator.close(closedUntil + bounds.lateness());
            closed = Math.max(closed, closedUntil + bounds.lateness());
            forgotten = closedUntil;
        }
    }

    /**
     * Returns the watermark: no later row is expected to have an earlier time. It is the earliest time of the active units. If
     * all units are idle, it is the latest time of the idle ones, as in Flink; the clock does not predict the time of later
     * rows. If all units have ended, it is the end of time.
     */
    long watermark() {
        long earliest = Long.MAX_VALUE;
        long latestIdle = Long.MIN_VALUE;
        boolean allEnded = true;
        boolean anyActive = false;
        if (isRereading()) {
            return closed;
        }
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

    /**
     * Returns whether other tasks may have parts of windows that an earlier run has written, and have not read them again: then
     * a change would be written without these parts.
     */
    private boolean isRereading() {
        if (group != null || bounds.lateness() == 0) {
            return false;
        }
        for (Map.Entry<Unit, UnitState> each : units.entrySet()) {
            if (each.getValue().isActive()
                    && !each.getKey().frontier().hasPassed(each.getKey().seen().end())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the watermark once all units have ended. A shard of one group is done then; otherwise other units may still come.
     */
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

    /** Returns a time less {@code disorder} milliseconds; {@link Long#MIN_VALUE} stays as it is. */
    static long minus(long time, long disorder) {
        return time == Long.MIN_VALUE ? time : time - disorder;
    }

    /** Returns whether a window may have ended since the last close, or may accept no more rows, at {@code watermark}. */
    boolean passes(long watermark) {
        return watermark > closed && watermark >= nextBound();
    }

    /** Returns the least time of a row that lets the watermark pass a window, if the time of one unit alone determines it. */
    long closingTime() {
        long next = nextBound();
        return next > Long.MAX_VALUE - disorder ? Long.MAX_VALUE : next + disorder;
    }

    private long nextBound() {
        return closed == Long.MIN_VALUE || closed == Long.MAX_VALUE ? closed : bounds.next(closed);
    }

    /** Returns whether units are open but all of them are idle. */
    boolean isQuiet() {
        return units.values().stream().noneMatch(UnitState::isActive) && !haveAllEnded();
    }

    /** Returns the end of the first window for which a record waits; {@link Long#MIN_VALUE} if none does. */
    long firstOpenEnd() {
        long first = Long.MAX_VALUE;
        for (UnitState unit : units.values()) {
            if (unit.waitingSince() != Long.MAX_VALUE) {
                first = Math.min(first, unit.waitingFor());
            }
        }
        return first == Long.MAX_VALUE ? Long.MIN_VALUE : first;
    }

    /** Returns the active unit with the earliest time, which holds windows open; null if no unit is active. */
    Unit slowest() {
        Unit slowest = null;
        long earliest = Long.MAX_VALUE;
        for (Map.Entry<Unit, UnitState> each : units.entrySet()) {
            UnitState state = each.getValue();
            if (state.isActive() && state.latest() <= earliest) {
                earliest = state.latest();
                slowest = each.getKey();
            }
        }
        return slowest;
    }

    boolean haveAllEnded() {
        return units.values().stream().allMatch(UnitState::isEnded);
    }

    /** Returns whether a unit has ended and is done, so that it may be forgotten once that was reported. */
    static boolean isOver(Unit unit, UnitState state) {
        return state.isDone() && unit.isOver(state.done());
    }

    /** Returns a report of a unit that was opened. */
    AggregateOutput.Closed reportOpened(int task, Unit unit, boolean track) {
        UnitState state = units.get(unit);
        Map<Unit, Long> done = track ? Map.of(unit, state.done()) : Map.of();
        return new AggregateOutput.Closed(
                task,
                group,
                List.of(),
                closedHere,
                forgotten,
                Map.of(unit, state.takeHandled()),
                done,
                UsedRecords.NONE);
    }

    /** Returns whether windows were closed that are not reported. */
    boolean hasClosings() {
        return !closings.isEmpty();
    }

    /** Reports windows in the order in which they were closed: the same window may be in several results. */
    void reportClosings(int task, boolean track, UsedRecords used, Consumer<AggregateOutput> out) {
        UsedRecords left = used;
        for (Closing each : closings) {
            units.values().forEach(unit -> {
                unit.written(each.before);
                unit.forget(each.forgotten);
            });
            takeAdvanced();
            if (!each.restored.isEmpty()) {
                out.accept(new AggregateOutput.Restored(task, each.restored));
            }
            out.accept(report(task, each, track, left));
            left = UsedRecords.NONE;
        }
        closings.clear();
    }

    /** Returns a report of early results and of the progress of the units, and forgets the units that are over. */
    AggregateOutput.Closed report(int task, List<PartialResult> early, boolean track, UsedRecords used) {
        return report(task, new Closing(closedHere, forgotten, 0, early, List.of()), track, used);
    }

    private AggregateOutput.Closed report(int task, Closing closing, boolean track, UsedRecords used) {
        Map<Unit, ProcessedRanges> handled = new LinkedHashMap<>();
        Map<Unit, Long> done = new LinkedHashMap<>();
        units.forEach((unit, state) -> {
            handled.put(unit, state.takeHandled());
            if (track) {
                done.put(unit, isOver(unit, state) ? AggregateOutput.OVER + state.done() : state.done());
            }
        });
        forgetOver();
        return new AggregateOutput.Closed(
                task, group, closing.results, closing.closed, closing.forgotten, handled, done, used);
    }

    private void forgetOver() {
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

    /** Advances all units to the time of the clock, which all later rows have. */
    void advanceTime(long time) {
        units.values().forEach(unit -> unit.advanceTime(time));
        if (latestForgotten != Long.MIN_VALUE) {
            latestForgotten = time;
        }
    }

    /** Records that a window with this end has accepted a row. */
    void acceptedUntil(long end) {
        lastEnd = Math.max(lastEnd, end);
    }

    /**
     * Closes the windows that end at or before a watermark, for the next report. At the end of time, only the windows that have
     * accepted rows are final; later ones may come.
     *
     * @param before the position of the units before which rows were added
     */
    void close(long watermark, long before) {
        List<PartialResult> restored = group == null ? aggregator.restored() : List.of();
        List<PartialResult> results = aggregator.close(watermark);
        closed = watermark;
        closedHere = watermark;
        // Ended windows accept no more rows up to this time, in this run or a later one.
        forgotten = Math.max(forgotten, watermark == Long.MAX_VALUE ? lastEnd : watermark - bounds.lateness());
        closings.add(new Closing(closed, forgotten, before, results, restored));
    }

    /** Returns whether positions have advanced since the last call: their sum can only grow. */
    boolean takeAdvanced() {
        long sum = doneForgotten;
        for (UnitState unit : units.values()) {
            sum += unit.done();
        }
        boolean further = sum != sentDone;
        sentDone = sum;
        return further;
    }
}
