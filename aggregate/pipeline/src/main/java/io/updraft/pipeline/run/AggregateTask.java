package io.updraft.pipeline.run;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.TooManyGroupsException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Decodes chunks and adds their rows to windows. Emits the results of windows that the watermark has passed, and the positions
 * that are complete. Not thread-safe: one thread calls it.
 */
final class AggregateTask implements AutoCloseable {

    /** The most chunks between two reports of positions, when no window ends. */
    private static final int REPORT_EVERY = 64;

    private final int index;
    private final RunPlan.Aggregation plan;
    private final boolean keyed;
    private final TaskCounters counters;
    private final Consumer<AggregateOutput> out;
    private final LongSupplier clock;
    private final RowSink.Context rows;
    private final OverdueAlarm alarm;
    private final ShareWindows.Bounds bounds;
    /** Whether windows may be closed between two rows: this task alone handles a partition, so that it sees the time of each row in order. */
    private final boolean closesBetweenRows;

    private final WindowsByShare windows;
    /** How many partitions this task has opened. */
    private long openings;

    private long nextEarly;
    /** Whether the source has reached its end; null until it ends. */
    private Boolean reachedEnd;

    private boolean ended;

    private int handled;

    public AggregateTask(
            int index,
            RunPlan.Aggregation plan,
            Supplier<Aggregator> aggregators,
            TaskCounters counters,
            Consumer<AggregateOutput> out,
            LongSupplier clock) {
        this.index = index;
        this.plan = plan;
        this.keyed = plan.settings().keyed();
        this.counters = counters;
        this.out = out;
        this.clock = clock;
        UniqueRows unique = plan.unique();
        long held = unique == null ? 0 : unique.heldMillis();
        alarm = new OverdueAlarm(index, plan.settings().alarm(), plan.query().window(), held, counters);
        bounds = new ShareWindows.Bounds(plan.query().window());
        rows = new RowSink.Context(
                plan.settings().decoders().get(),
                new RowTime(plan),
                bounds,
                counters,
                plan.settings().rejected(),
                unique,
                unique == null ? null : unique.reader());
        closesBetweenRows =
                plan.time().isOfRecords() && (keyed || plan.settings().parallelism() == 1);
        long disorder = Math.min(plan.time().disorder().toMillis(), Long.MAX_VALUE / 4);
        windows = new WindowsByShare(
                keyed, share -> new ShareWindows(aggregators.get(), share, disorder, bounds, unique));
        nextEarly = clock.getAsLong() + plan.early().toMillis();
    }

    public void handle(TaskInput input) {
        if (input instanceof TaskInput.SourceEnded end) {
            reachedEnd = end.whole();
            endIfAllIsHandled();
            return;
        }
        handle((TaskInput.OfPartition) input);
    }

    private void handle(TaskInput.OfPartition input) {
        Partition partition = input.partition();
        if (input.event() instanceof RecordSource.Event.Opened opened) {
            open(partition, opened);
            return;
        }
        ShareWindows shareWindows = windows.of(partition.share());
        PartitionProgress state = shareWindows == null ? null : shareWindows.partitions.get(partition);
        if (input.event() instanceof RecordSource.Event.Revoked) {
            // A partition that is done may be forgotten, but not its share: its owner waits for the
            // drop.
            if (state != null || keyed && shareWindows != null) {
                drop(partition);
            }
        } else if (input.event() instanceof Chunk chunk) {
            if (state != null) {
                add(shareWindows, state, chunk, input);
            }
            chunk.release();
        } else if (state == null) {
            return; // revoked, or never assigned to this task
        } else if (input.event() instanceof RecordSource.Event.Rejected rejected) {
            reject(shareWindows, state, rejected, input);
        } else {
            state.skipTo(input.sent());
            pause(shareWindows, state, input.event());
        }
    }

    private void open(Partition partition, RecordSource.Event.Opened opened) {
        checkWindows(opened);
        ShareWindows shareWindows = windows.open(partition.share());
        openings++;
        shareWindows.open(
                new PartitionProgress(partition, opened.position(), bounds.lateness() > 0),
                plan.time().isOfRecords() ? opened.closedUntil() : Long.MIN_VALUE);
        // Reported before any result of the partition, so that no result is written without a position.
        out.accept(shareWindows.reportOpened(index, partition, plan.settings().track()));
    }

    private void reject(
            ShareWindows shareWindows,
            PartitionProgress state,
            RecordSource.Event.Rejected rejected,
            TaskInput.OfPartition input) {
        counters.read(1, 0);
        byte[] head = rejected.head();
        rows.reject(state.partition, rejected.position(), head, 0, head.length, rejected.reason());
        shareWindows.used(counters.takeUsed());
        if (plan.settings().track()) {
            state.handled(input.since(), rejected.position(), rejected.to(), Long.MIN_VALUE, clock.getAsLong());
        }
        state.partition.frontier().handled(input.since(), input.sent(), state.latest());
        shareWindows.update(state);
    }

    /** Handles that a partition is idle, or has ended. */
    private void pause(ShareWindows shareWindows, PartitionProgress state, SourceEvent event) {
        if (event instanceof RecordSource.Event.Idle) {
            state.idle();
            takeTimeOfOtherTasks(state);
        } else {
            state.end();
        }
        shareWindows.update(state);
        closePassedWindows(shareWindows);
        // Other partitions become over when windows are closed, which is reported.
        if (state.isOver() || shareWindows.takeAdvanced()) {
            report(shareWindows, List.of());
        }
        // A share with an ownership is kept until it is revoked or the run ends: then it is released.
        Partition.Share share = state.partition.share();
        if (keyed && shareWindows.haveAllEnded() && share.ownership() == null) {
            windows.remove(share);
        }
    }

    private void checkWindows(RecordSource.Event.Opened opened) {
        String before = opened.seen().windows();
        if (!before.isEmpty() && !plan.hasWindowsOf(before)) {
            throw new IllegalStateException("pipeline " + plan.settings().name() + " continues " + opened.partition()
                    + " after a run with another 'every', 'slide', 'zone', 'group_by' or 'time': its first windows"
                    + " would lack the rows that the earlier run has counted; undo the change, or start over with another"
                    + " 'name' (and 'group' of Kafka) and other files of results");
        }
    }

    /** Drops a revoked share. Shares that are aggregated together are revoked together, so the first drops all. */
    private void drop(Partition partition) {
        out.accept(new AggregateOutput.Dropped(index, windows.remove(partition.share())));
    }

    private void add(ShareWindows shareWindows, PartitionProgress state, Chunk chunk, TaskInput.OfPartition input) {
        long now = clock.getAsLong();
        RowSink sink = new RowSink(
                rows, shareWindows, state, chunk, now, closesBetweenRows && shareWindows.isOfOnePartition());
        decode(chunk, sink);
        shareWindows.used(counters.takeUsed());
        shareWindows.acceptedUntil(sink.lastEnd());
        if (plan.settings().track()) {
            state.handled(input.since(), chunk.from(), chunk.to(), sink.neededUntil(), now);
        }
        state.partition.frontier().handled(input.since(), input.sent(), state.latest());
        takeTimeOfOtherTasks(state);
        shareWindows.update(state);
        if (shareWindows.hasClosings()) {
            reportClosings(shareWindows);
        }
        closePassedWindows(shareWindows);
        if (++handled % REPORT_EVERY == 0) {
            report(shareWindows, List.of());
        }
        counters.publish();
    }

    private void decode(Chunk chunk, RowSink sink) {
        try {
            counters.read(rows.decoder().decode(chunk, sink), chunk.length());
        } catch (TooManyGroupsException e) {
            throw new TooManyGroupsException(e.getMessage() + " (" + chunk.partition() + " from " + chunk.from() + ")");
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            // Other errors, such as OutOfMemoryError, are not caused by the records.
            throw new IllegalStateException(
                    "aggregate task " + index + " cannot handle " + chunk.partition() + " from " + chunk.from() + " to "
                            + chunk.to() + ": " + e,
                    e);
        }
    }

    /** Closes windows that end by the clock, emits early results and checks for overdue records. Called about once a second. */
    public void tick() {
        long time = clock.getAsLong();
        for (ShareWindows shareWindows : windows.all()) {
            if (plan.time().origin() == TimeSpec.Origin.PROCESSING) {
                shareWindows.advanceTime(time);
            }
            takeTimesOfOtherTasks(shareWindows);
            closePassedWindows(shareWindows);
            if (shareWindows.takeAdvanced()) {
                report(shareWindows, List.of());
            }
        }
        if (!plan.early().isZero() && time >= nextEarly) {
            nextEarly = time + plan.early().toMillis();
            windows.all().forEach(this::reportEarly);
        }
        alarm.check(windows.all(), time);
        counters.held(windows.held());
        counters.watermark(windows.watermark());
        if (plan.unique() != null) {
            plan.unique().check();
        }
        publish();
        endIfAllIsHandled();
    }

    /**
     * Advances the time of a partition whose records several tasks handle, since none knows its time alone. Other tasks may be
     * ahead, so this task must have opened all partitions that were opened before their records: these hold windows open.
     */
    private void takeTimeOfOtherTasks(PartitionProgress state) {
        long time = state.partition.frontier().latest();
        // Compared after the time was read: a partition that is opened later does not come before records of that time.
        if (!keyed && openings == state.partition.openings().get()) {
            state.advanceTimeOfOthers(time);
        }
    }

    private void takeTimesOfOtherTasks(ShareWindows shareWindows) {
        for (PartitionProgress state : shareWindows.partitions.values()) {
            takeTimeOfOtherTasks(state);
            shareWindows.update(state);
        }
    }

    private void reportEarly(ShareWindows shareWindows) {
        List<PartialResult> results = shareWindows.aggregator.early();
        if (!results.isEmpty()) {
            report(shareWindows, results);
        }
    }

    private void closePassedWindows(ShareWindows shareWindows) {
        long watermark = shareWindows.watermark();
        shareWindows.passIds(index, watermark);
        if (shareWindows.passes(watermark)) {
            close(shareWindows, watermark);
        }
    }

    private void close(ShareWindows shareWindows, long watermark) {
        shareWindows.closeWindows(watermark, Long.MAX_VALUE);
        reportClosings(shareWindows);
    }

    /** Reports closed windows even without results: those of other tasks wait for this one. */
    private void reportClosings(ShareWindows shareWindows) {
        shareWindows.reportClosings(index, plan.settings().track(), out);
    }

    private void report(ShareWindows shareWindows, List<PartialResult> results) {
        out.accept(shareWindows.report(index, results, plan.settings().track()));
    }

    /**
     * Ends when all inputs are handled. A run that is stopped writes its complete windows. These depend on other tasks too, so
     * a task waits until the others have handled their records.
     */
    private void endIfAllIsHandled() {
        if (reachedEnd == null || ended || !reachedEnd && !windows.areHandled()) {
            return;
        }
        ended = true;
        for (ShareWindows shareWindows : windows.all()) {
            // If the run is stopped before the end of the input, its open windows are left to the next run.
            if (reachedEnd) {
                close(shareWindows, Long.MAX_VALUE);
            } else {
                takeTimesOfOtherTasks(shareWindows);
                closePassedWindows(shareWindows);
                report(shareWindows, List.of());
            }
        }
        publish();
        out.accept(new AggregateOutput.TaskEnded(index));
    }

    private void publish() {
        windows.count(counters);
        counters.publish();
    }

    /** Returns how many partitions this task has in memory. */
    public int partitions() {
        return windows.partitions();
    }

    @Override
    public void close() {
        windows.close();
    }
}
