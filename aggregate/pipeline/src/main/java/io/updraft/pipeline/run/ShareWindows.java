package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.SeenIds;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.WindowGrid;
import io.updraft.timeseries.query.WindowSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The windows of a share, and the partitions that feed them. If shares are not aggregated on their own, one object has the windows of all partitions of the task.
 */
final class ShareWindows {

    /**
     * Windows that the watermark has passed, with the time up to which windows accept no more rows.
     *
     * @param before the results contain the rows of each partition before this position
     * @param restored parts of windows that have not changed since an earlier run wrote them
     */
    private record Closing(
            long closed, long forgotten, long before, List<PartialResult> results, List<PartialResult> restored) {}

    /** A partition whose first unfinished record waits until a time. */
    private record Waiting(long until, PartitionProgress state) {}

    final Aggregator aggregator;
    private final Partition.Share share;
    final Map<Partition, PartitionProgress> partitions = new LinkedHashMap<>();
    private final long disorder;
    private final Bounds bounds;
    /** The ids of all rows of the run; null if duplicates count. */
    private final UniqueRows unique;
    /** The first partition that was opened, of which the ids have the name. */
    private Partition first;
    /** The ids of the rows of these partitions; null if duplicates count. */
    private SeenIds ids;

    private final List<Closing> closings = new ArrayList<>();
    private long closed = Long.MIN_VALUE;
    /** Up to when this run has closed windows: the results of earlier runs are not in its reports. */
    private long closedHere = Long.MIN_VALUE;

    private long forgotten = Long.MIN_VALUE;
    private long lastEnd = Long.MIN_VALUE;
    private final PartitionTimes times = new PartitionTimes();
    /** The partitions whose records wait for windows, those of the first window first. */
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(Comparator.comparingLong(Waiting::until));

    /** The partitions with rows that the written results may lack. */
    private final Set<PartitionProgress> unwritten = new LinkedHashSet<>();
    /** The partitions that other tasks may have read further in an earlier run. */
    private final Set<PartitionProgress> rereading = new LinkedHashSet<>();

    private final Set<PartitionProgress> changed = new LinkedHashSet<>();

    private boolean advanced;
    /** The records that were handled since the last report. */
    private UnusableRecords.Counts used = UnusableRecords.Counts.NONE;

    /**
     * Creates the windows.
     *
     * @param share the share of the partitions; null if there may be several
     * @param unique the ids of all rows of the run; null if duplicates count
     */
    ShareWindows(Aggregator aggregator, Partition.Share share, long disorder, Bounds bounds, UniqueRows unique) {
        this.aggregator = aggregator;
        this.share = share;
        this.disorder = disorder;
        this.bounds = bounds;
        this.unique = unique;
    }

    /** Returns the ids of the rows; null if duplicates count. */
    SeenIds ids() {
        return ids;
    }

    /**
     * Lets ids be forgotten whose times {@code watermark} has passed. At the end of time, later rows may still come. While rows are read
     * again, the watermark is that of an earlier run: rows before it come with their duplicates.
     */
    void passIds(int task, long watermark) {
        if (ids != null && watermark != Long.MAX_VALUE && !isRereading()) {
            ids.passed(share == null ? task : 0, minus(watermark, bounds.lateness()));
        }
    }

    /** Returns whether windows that end at or before a time accept no more rows. */
    boolean hasForgotten(long time) {
        return time <= forgotten;
    }

    /** Releases the memory of windows and ids. */
    void close() {
        aggregator.close();
        if (ids != null) {
            unique.close(first);
        }
    }

    /** Returns whether the time of one partition alone closes windows. */
    boolean isOfOnePartition() {
        return partitions.size() == 1;
    }

    /**
     * Opens a partition, or continues one that has ended. Refuses rows for windows that end by {@code closedUntil}, which an earlier
     * run has written.
     */
    void open(PartitionProgress opened, long closedUntil) {
        PartitionProgress state = partitions.merge(opened.partition, opened, (before, after) -> before);
        state.reopen();
        if (unique != null && first == null) {
            first = state.partition;
            ids = unique.open(first);
        }
        times.place(state);
        if (share == null && bounds.lateness() > 0) {
            rereading.add(state);
        }
        if (closedUntil > forgotten) {
            // These windows are still empty, since each partition is opened before its records come. Partitions that
            // were opened
            // earlier have the same bound, since all positions of a run are committed together.
            aggregator.closeWindows(closedUntil + bounds.lateness());
            closed = Math.max(closed, closedUntil + bounds.lateness());
            forgotten = closedUntil;
        }
    }

    /**
     * Returns the watermark: no later row is expected to have an earlier time. It is the earliest time of the active partitions. If
     * all partitions are idle, it is the latest time of the idle ones, as in Flink; the clock does not predict the time of later
     * rows. If all partitions have ended, it is the end of time.
     */
    long watermark() {
        if (isRereading()) {
            return closed;
        }
        if (times.hasActive()) {
            return minus(times.earliestActive(), disorder);
        }
        return times.haveAllEnded() ? endOfPartitions() : minus(times.latestIdle(), disorder);
    }

    /**
     * Returns whether other tasks may have parts of windows that an earlier run has written, and have not read them again: then
     * a change would be written without these parts.
     */
    private boolean isRereading() {
        for (Iterator<PartitionProgress> states = rereading.iterator(); states.hasNext(); ) {
            PartitionProgress state = states.next();
            if (state.isEnded()
                    || state.partition
                            .frontier()
                            .hasPassed(state.partition.seen().end())) {
                states.remove();
            } else if (state.isActive()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the watermark once all partitions have ended. The windows of one share are done then; otherwise other partitions may still come.
     */
    private long endOfPartitions() {
        return share != null ? Long.MAX_VALUE : minus(times.latestEnded(), disorder);
    }

    /** Takes notice of what a partition has handled, and of its time. Called whenever the state may have changed. */
    void update(PartitionProgress state) {
        times.place(state);
        if (!state.takeChanged()) {
            return;
        }
        changed.add(state);
        advanced |= state.takeAdvanced();
        if (state.hasUnwritten()) {
            unwritten.add(state);
        }
        await(state);
    }

    private void await(PartitionProgress state) {
        if (!state.isQueued() && state.waitingSince() != Long.MAX_VALUE) {
            state.queued(true);
            waiting.add(new Waiting(state.waitingFor(), state));
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

    /** Returns the least time of a row that lets the watermark pass a window, if the time of one partition alone determines it. */
    long closingTime() {
        long next = nextBound();
        return next > Long.MAX_VALUE - disorder ? Long.MAX_VALUE : next + disorder;
    }

    private long nextBound() {
        return closed == Long.MIN_VALUE || closed == Long.MAX_VALUE ? closed : bounds.next(closed);
    }

    /** Returns whether partitions are open but all of them are idle. */
    boolean isQuiet() {
        return partitions.values().stream().noneMatch(PartitionProgress::isActive) && !haveAllEnded();
    }

    /** Returns the end of the first window for which a record waits; {@link Long#MIN_VALUE} if none does. */
    long firstOpenEnd() {
        long first = Long.MAX_VALUE;
        for (PartitionProgress partition : partitions.values()) {
            if (partition.waitingSince() != Long.MAX_VALUE) {
                first = Math.min(first, partition.waitingFor());
            }
        }
        return first == Long.MAX_VALUE ? Long.MIN_VALUE : first;
    }

    /** Returns the active partition with the earliest time, which holds windows open; null if no partition is active. */
    Partition slowest() {
        Partition slowest = null;
        long earliest = Long.MAX_VALUE;
        for (PartitionProgress state : partitions.values()) {
            if (state.isActive() && state.latest() <= earliest) {
                earliest = state.latest();
                slowest = state.partition;
            }
        }
        return slowest;
    }

    boolean haveAllEnded() {
        return partitions.values().stream().allMatch(PartitionProgress::isEnded);
    }

    AggregateOutput.Closed reportOpened(int task, Partition partition, boolean track) {
        PartitionProgress state = partitions.get(partition);
        Map<Partition, Long> done = track ? Map.of(partition, state.done()) : Map.of();
        return new AggregateOutput.Closed(
                task,
                share,
                List.of(),
                closedHere,
                forgotten,
                Map.of(partition, state.takeHandled()),
                done,
                UnusableRecords.Counts.NONE);
    }

    /** Takes records that were handled: they are reported together with their stretches. */
    void used(UnusableRecords.Counts more) {
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
        for (PartitionProgress state : List.copyOf(unwritten)) {
            state.written(before);
            unwritten.remove(state);
            update(state);
        }
    }

    private void forget(long until) {
        while (!waiting.isEmpty() && waiting.peek().until <= until) {
            Waiting first = waiting.remove();
            first.state.queued(false);
            first.state.forget(until);
            update(first.state);
        }
    }

    /** Returns a report of early results and of the progress of the partitions, and forgets the partitions that are over. */
    AggregateOutput.Closed report(int task, List<PartialResult> early, boolean track) {
        return report(task, new Closing(closedHere, forgotten, 0, early, List.of()), track);
    }

    private AggregateOutput.Closed report(int task, Closing closing, boolean track) {
        Map<Partition, ProcessedRanges> handled = new LinkedHashMap<>();
        Map<Partition, Long> done = new LinkedHashMap<>();
        // The results of a share are written with the positions of all its partitions.
        for (PartitionProgress state : List.copyOf(share == null ? changed : partitions.values())) {
            boolean over = state.isOver();
            handled.put(state.partition, state.takeHandled());
            if (track) {
                done.put(state.partition, over ? AggregateOutput.OVER + state.done() : state.done());
            }
            if (over) {
                partitions.remove(state.partition);
                unwritten.remove(state);
                rereading.remove(state);
            }
        }
        changed.clear();
        UnusableRecords.Counts reported = used;
        used = UnusableRecords.Counts.NONE;
        return new AggregateOutput.Closed(
                task, share, closing.results, closing.closed, closing.forgotten, handled, done, reported);
    }

    /** Advances all partitions to the time of the clock, which all later rows have. */
    void advanceTime(long time) {
        partitions.values().forEach(partition -> {
            partition.advanceTime(time);
            times.place(partition);
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
     * @param before the position of the partitions before which rows were added
     */
    void closeWindows(long watermark, long before) {
        List<PartialResult> restored = share == null ? aggregator.restored() : List.of();
        List<PartialResult> results = aggregator.closeWindows(watermark);
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

    /**
     * The times at which windows are closed, and at which they stop to accept rows, in milliseconds.
     *
     * @param closings the times at which windows are closed, as starts
     * @param lateness how long after its end a window accepts rows
     */
    record Bounds(WindowGrid closings, long lateness) {

        Bounds(WindowSpec windows) {
            this(windows.closings(), Math.min(windows.lateness().toMillis(), Long.MAX_VALUE / 4));
        }

        /** Returns the first time after {@code watermark} at which windows are closed, or stop to accept rows. */
        long next(long watermark) {
            long end = closings.nextEnd(watermark);
            return lateness == 0 ? end : Math.min(end, closings.nextEnd(watermark - lateness) + lateness);
        }
    }
}
