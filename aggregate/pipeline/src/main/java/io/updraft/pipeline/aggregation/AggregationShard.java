package io.updraft.pipeline.aggregation;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.counter.UsedRecords;
import io.updraft.pipeline.unit.Unit;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.query.PartialResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
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

    /** A unit whose first unfinished record waits until a time. */
    private record Waiting(long until, Unit unit, UnitState state) {}

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
    private final UnitTimes times = new UnitTimes();
    /** The units whose records wait for windows, those of the first window first. */
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(Comparator.comparingLong(Waiting::until));

    /** The units with rows that the written results may lack. */
    private final Map<Unit, UnitState> unwritten = new LinkedHashMap<>();
    /** The units that other tasks may have read further in an earlier run. */
    private final Map<Unit, UnitState> rereading = new LinkedHashMap<>();
    /** The units to report. */
    private final Set<Unit> changed = new LinkedHashSet<>();

    private boolean advanced;
    /** The records that were handled since the last report. */
    private UsedRecords used = UsedRecords.NONE;

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
        UnitState current = units.merge(unit, state, (before, opened) -> before);
        current.reopen();
        times.place(current);
        if (group == null && bounds.lateness() > 0) {
            rereading.put(unit, current);
        }
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
        if (isRereading()) {
            return closed;
        }
        if (times.hasActive()) {
            return minus(times.earliestActive(), disorder);
        }
        return times.haveAllEnded() ? endOfUnits() : minus(times.latestIdle(), disorder);
    }

    /**
     * Returns whether other tasks may have parts of windows that an earlier run has written, and have not read them again: then
     * a change would be written without these parts.
     */
    private boolean isRereading() {
        for (var each = rereading.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Unit, UnitState> unit = each.next();
            if (unit.getValue().isEnded()
                    || unit.getKey().frontier().hasPassed(unit.getKey().seen().end())) {
                each.remove();
            } else if (unit.getValue().isActive()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the watermark once all units have ended. A shard of one group is done then; otherwise other units may still come.
     */
    private long endOfUnits() {
        return group != null ? Long.MAX_VALUE : minus(times.latestEnded(), disorder);
    }

    /** Takes notice of what a unit has handled, and of its time. Called whenever the state may have changed. */
    void update(Unit unit, UnitState state) {
        times.place(state);
        if (!state.takeChanged()) {
            return;
        }
        changed.add(unit);
        advanced |= state.takeAdvanced();
        if (state.hasUnwritten()) {
            unwritten.put(unit, state);
        }
        await(unit, state);
    }

    private void await(Unit unit, UnitState state) {
        if (!state.isQueued() && state.waitingSince() != Long.MAX_VALUE) {
            state.queued(true);
            waiting.add(new Waiting(state.waitingFor(), unit, state));
        }
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

    /** Takes records that were handled: they are reported together with their stretches. */
    void used(UsedRecords more) {
        used = used.plus(more);
    }

    /** Returns whether windows were closed that are not reported. */
    boolean hasClosings() {
        return !closings.isEmpty();
    }

    /** Reports windows in the order in which they were closed: the same window may be in several results. */
    void reportClosings(int task, boolean track, Consumer<AggregateOutput> out) {
        for (Closing each : closings) {
            written(each.before);
            forget(each.forgotten);
            takeAdvanced();
            if (!each.restored.isEmpty()) {
                out.accept(new AggregateOutput.Restored(task, each.restored));
            }
            out.accept(report(task, each, track));
        }
        closings.clear();
    }

    private void written(long before) {
        List.copyOf(unwritten.entrySet()).forEach(each -> {
            each.getValue().written(before);
            unwritten.remove(each.getKey());
            update(each.getKey(), each.getValue());
        });
    }

    private void forget(long until) {
        while (!waiting.isEmpty() && waiting.peek().until <= until) {
            Waiting first = waiting.remove();
            first.state.queued(false);
            first.state.forget(until);
            update(first.unit, first.state);
        }
    }

    /** Returns a report of early results and of the progress of the units, and forgets the units that are over. */
    AggregateOutput.Closed report(int task, List<PartialResult> early, boolean track) {
        return report(task, new Closing(closedHere, forgotten, 0, early, List.of()), track);
    }

    private AggregateOutput.Closed report(int task, Closing closing, boolean track) {
        Map<Unit, ProcessedRanges> handled = new LinkedHashMap<>();
        Map<Unit, Long> done = new LinkedHashMap<>();
        // The results of a group are written with the positions of all its units.
        for (Unit unit : List.copyOf(group == null ? changed : units.keySet())) {
            UnitState state = units.get(unit);
            boolean over = isOver(unit, state);
            handled.put(unit, state.takeHandled());
            if (track) {
                done.put(unit, over ? AggregateOutput.OVER + state.done() : state.done());
            }
            if (over) {
                units.remove(unit);
                unwritten.remove(unit);
                rereading.remove(unit);
            }
        }
        changed.clear();
        UsedRecords reported = used;
        used = UsedRecords.NONE;
        return new AggregateOutput.Closed(
                task, group, closing.results, closing.closed, closing.forgotten, handled, done, reported);
    }

    /** Advances all units to the time of the clock, which all later rows have. */
    void advanceTime(long time) {
        units.values().forEach(unit -> {
            unit.advanceTime(time);
            times.place(unit);
        });
        times.advanceEnded(time);
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

    /** Returns whether positions have advanced since the last call. */
    boolean takeAdvanced() {
        boolean further = advanced;
        advanced = false;
        return further;
    }
}
