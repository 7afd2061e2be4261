package io.updraft.pipeline.aggregation;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.counter.TaskCounters;
import io.updraft.pipeline.plan.AggregationPlan;
import io.updraft.pipeline.rejection.RejectedRecords;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.pipeline.unit.TaskInput;
import io.updraft.pipeline.unit.Unit;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.record.RecordChunk;
import io.updraft.timeseries.record.RecordRow;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Decodes chunks and adds their rows to windows. Emits the results of windows that the watermark has passed, and the positions
 * that are complete. Not thread-safe: one thread calls it.
 */
public final class AggregateTask implements RowHandler, AutoCloseable {

    /** The most chunks between two reports of positions, when no window ends. */
    private static final int REPORT_EVERY = 64;

    private final int index;
    private final AggregationPlan plan;
    private final boolean keyed;
    private final RejectedRecords rejected;
    private final Decoder decoder;
    private final TaskCounters counters;
    private final Consumer<AggregateOutput> out;
    private final LongSupplier clock;
    private final RowTime times;
    private final OverdueAlarm alarm;
    private final WindowBounds bounds;
    /** Whether this task alone handles a unit, so that it sees the time of each row in order. */
    private final boolean handlesWholeUnits;

    private final ShardSet shards;
    /** How many units this task has opened. */
    private long openings;

    private long nextEarly;
    /** Whether the source has reached its end; null until it ends. */
    private Boolean reachedEnd;

    private boolean ended;

    private RecordChunk chunk;
    /** The shard of the current chunk. */
    private AggregationShard shard;

    private UnitState state;
    private Unit unit;
    private long now;
    private long lastEnd;
    /** The time of a row that closes windows before the next row of the current chunk. */
    private long closingTime;

    /** Whether an earlier run may have written windows with rows of the current chunk, which still accept rows. */
    private boolean rereads;

    private int handled;

    public AggregateTask(
            int index,
            AggregationPlan plan,
            Supplier<Aggregator> aggregators,
            TaskCounters counters,
            Consumer<AggregateOutput> out,
            LongSupplier clock) {
        this.index = index;
        this.plan = plan;
        this.keyed = plan.settings().keyed();
        this.rejected = plan.settings().rejected();
        this.decoder = plan.settings().decoders().get();
        this.counters = counters;
        this.out = out;
        this.clock = clock;
        times = new RowTime(plan);
        alarm = new OverdueAlarm(index, plan.settings().alarm(), plan.query().window(), counters);
        bounds = new WindowBounds(plan.query().window());
        handlesWholeUnits = keyed || plan.settings().parallelism() == 1;
        long disorder = Math.min(plan.time().disorder().toMillis(), Long.MAX_VALUE / 4);
        shards = new ShardSet(keyed, group -> new AggregationShard(aggregators.get(), group, disorder, bounds));
        nextEarly = clock.getAsLong() + plan.early().toMillis();
    }

    /** Handles an input from a task that reads a source. */
    public void handle(TaskInput input) {
        if (input instanceof TaskInput.SourceEnded end) {
            reachedEnd = end.whole();
            endIfAllIsHandled();
            return;
        }
        TaskInput.OfUnit happened = (TaskInput.OfUnit) input;
        Unit which = happened.unit();
        if (happened.event() instanceof RecordSource.Event.Records records) {
            add(which, records.chunk(), happened.since(), happened.sent());
            return;
        }
        if (happened.event() instanceof RecordSource.Event.Opened opened) {
            open(which, opened);
            return;
        }
        AggregationShard of = shards.of(which.group());
        UnitState known = of == null ? null : of.units.get(which);
        if (happened.event() instanceof RecordSource.Event.Revoked) {
            // A unit that is done may be forgotten, but not its group: the owner of its claim waits for the drop.
            if (known != null || keyed && of != null) {
                drop(which);
            }
        } else if (known == null) {
            return; // revoked, or never assigned to this task
        } else if (happened.event() instanceof RecordSource.Event.Bad bad) {
            handleBad(which, known, of, bad, happened);
            of.update(which, known);
        } else {
            known.skipTo(happened.sent());
            pause(which, known, of, happened.event());
        }
    }

    private void open(Unit which, RecordSource.Event.Opened opened) {
        checkWindows(opened);
        AggregationShard of = shards.open(which.group());
        openings++;
        of.open(
                which,
                new UnitState(opened.position(), bounds.lateness() > 0),
                plan.time().isOfRecords() ? opened.closedUntil() : Long.MIN_VALUE);
        // Reported before any result of the unit, so that no result is written without a position.
        out.accept(of.reportOpened(index, which, plan.settings().track()));
    }

    private void handleBad(
            Unit which, UnitState known, AggregationShard of, RecordSource.Event.Bad bad, TaskInput.OfUnit happened) {
        counters.read(1, 0);
        unit = which;
        bad(bad.position(), bad.head(), 0, bad.head().length, bad.reason());
        of.used(counters.takeUsed());
        if (plan.settings().track()) {
            known.handled(happened.since(), bad.position(), bad.to(), Long.MIN_VALUE, clock.getAsLong());
        }
        which.frontier().handled(happened.since(), happened.sent(), known.latest());
    }

    /** Handles that a unit is idle, or has ended. */
    private void pause(Unit which, UnitState known, AggregationShard of, RecordSource.Event event) {
        if (event instanceof RecordSource.Event.Idle) {
            known.idle();
            takeTimeOfOtherTasks(which, known);
        } else {
            known.end();
        }
        of.update(which, known);
        closePassedWindows(of);
        // Other units become over when windows are closed, which is reported.
        if (AggregationShard.isOver(which, known) || of.takeAdvanced()) {
            report(of, List.of());
        }
        // A group with a claim is kept until it is revoked or the run ends: then its claim is released.
        if (keyed && of.haveAllEnded() && which.group().claim() == null) {
            shards.remove(which.group());
        }
    }

    private void checkWindows(RecordSource.Event.Opened opened) {
        String before = opened.seen().windows();
        if (!before.isEmpty() && !plan.hasWindowsOf(before)) {
            throw new IllegalStateException("pipeline " + plan.settings().name() + " continues " + opened.unit()
                    + " after a run with another 'every', 'slide', 'group_by' or 'time': its first windows would"
                    + " lack the rows that the earlier run has counted; undo the change, or start over with another"
                    + " 'name' (and 'group' of Kafka) and other files of results");
        }
    }

    /** Drops a revoked group. Groups that are aggregated together are revoked together, so the first drops all. */
    private void drop(Unit which) {
        out.accept(new AggregateOutput.Dropped(index, shards.remove(which.group())));
    }

    private void add(Unit which, RecordChunk records, long since, long dealt) {
        chunk = records;
        shard = shards.of(which.group());
        state = shard == null ? null : shard.units.get(which);
        if (state == null) {
            chunk.release();
            return; // read before the unit was revoked
        }
        unit = which;
        now = clock.getAsLong();
        lastEnd = Long.MIN_VALUE;
        closingTime = closingTime();
        rereads = bounds.lateness() > 0 && chunk.from() < unit.seen().end();
        try {
            counters.read(decoder.decode(chunk, this), chunk.length());
        } catch (TooManyGroupsException e) {
            throw new TooManyGroupsException(e.getMessage() + " (" + which.name() + " from " + chunk.from() + ")");
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            // Other errors, such as OutOfMemoryError, are not caused by the records.
            throw new IllegalStateException(
                    "aggregate task " + index + " cannot handle " + which.name() + " from " + chunk.from() + " to "
                            + chunk.to() + ": " + e,
                    e);
        }
        shard.used(counters.takeUsed());
        shard.acceptedUntil(lastEnd);
        if (plan.settings().track()) {
            state.handled(since, chunk.from(), chunk.to(), lastEnd, now);
        }
        which.frontier().handled(since, dealt, state.latest());
        takeTimeOfOtherTasks(which, state);
        shard.update(which, state);
        chunk.release();
        if (shard.hasClosings()) {
            reportClosings(shard);
        }
        closePassedWindows(shard);
        if (++handled % REPORT_EVERY == 0) {
            report(shard, List.of());
        }
        counters.publish();
    }

    @Override
    public void row(RecordRow row, long position, long sourceTime) {
        long time = times.of(row, sourceTime, now);
        String mistake = times.mistake(row, time, now);
        if (mistake != null) {
            bad(position, chunk.bytes(), decoder.recordFrom(), decoder.recordLength(), mistake);
            return;
        }
        counters.row();
        long end = rereads
                ? shard.aggregator.add(row, time, unit.seen().writtenUntil(position))
                : shard.aggregator.add(row, time);
        state.advanceTime(time);
        if (time >= closingTime) {
            closeBeforeNextRow(position);
        }
        if (end != Aggregator.LATE) {
            lastEnd = Math.max(lastEnd, end);
        } else if (unit.seen().covers(position, bounds.lastEnd(time))) {
            counters.reread();
        } else {
            counters.late();
            rejected.late(unit.name(), position, row, time);
        }
    }

    /**
     * Returns the time of a row that closes windows. If one unit alone determines the watermark, windows are closed between
     * two rows. So the limits of chunks, which differ after a crash, do not decide which rows are in a window.
     */
    private long closingTime() {
        return handlesWholeUnits && plan.time().isOfRecords() && shard.isOfOneUnit()
                ? shard.closingTime()
                : Long.MAX_VALUE;
    }

    private void closeBeforeNextRow(long position) {
        shard.update(unit, state);
        long watermark = shard.watermark();
        if (shard.passes(watermark)) {
            shard.close(watermark, position);
        }
        closingTime = shard.closingTime();
    }

    @Override
    public void bad(long position, byte[] bytes, int from, int length, String reason) {
        if (unit.seen().covers(position)) {
            counters.badAgain(unit.name(), position, reason);
            return;
        }
        counters.bad(unit.name(), position, reason);
        rejected.bad(unit.name(), position, bytes, from, length, reason);
    }

    /** Closes windows that end by the clock, emits early results and checks for overdue records. Called about once a second. */
    public void tick() {
        long time = clock.getAsLong();
        for (AggregationShard each : shards.all()) {
            if (plan.time().origin() == TimeSpec.Origin.PROCESSING) {
                each.advanceTime(time);
            }
            takeTimesOfOtherTasks(each);
            closePassedWindows(each);
            if (each.takeAdvanced()) {
                report(each, List.of());
            }
        }
        if (!plan.early().isZero() && time >= nextEarly) {
            nextEarly = time + plan.early().toMillis();
            shards.all().forEach(this::reportEarly);
        }
        alarm.check(shards.all(), time);
        counters.held(shards.held());
        counters.watermark(shards.watermark());
        publish();
        endIfAllIsHandled();
    }

    /**
     * Advances the time of a unit whose records several tasks handle, since none knows its time alone. Other tasks may be
     * ahead, so this task must have opened all units that were opened before their records: these hold windows open.
     */
    private void takeTimeOfOtherTasks(Unit which, UnitState its) {
        long time = which.frontier().latest();
        // Compared after the time was read: a unit that is opened later does not come before records of that time.
        if (!keyed && openings == which.openings().get()) {
            its.advanceTimeOfOthers(time);
        }
    }

    private void takeTimesOfOtherTasks(AggregationShard of) {
        of.units.forEach((each, its) -> {
            takeTimeOfOtherTasks(each, its);
            of.update(each, its);
        });
    }

    private void reportEarly(AggregationShard of) {
        List<PartialResult> results = of.aggregator.early();
        if (!results.isEmpty()) {
            report(of, results);
        }
    }

    private void closePassedWindows(AggregationShard of) {
        long watermark = of.watermark();
        if (of.passes(watermark)) {
            close(of, watermark);
        }
    }

    private void close(AggregationShard of, long watermark) {
        of.close(watermark, Long.MAX_VALUE);
        reportClosings(of);
    }

    /** Reports closed windows even without results: those of other tasks wait for this one. */
    private void reportClosings(AggregationShard of) {
        of.reportClosings(index, plan.settings().track(), out);
    }

    private void report(AggregationShard of, List<PartialResult> results) {
        out.accept(of.report(index, results, plan.settings().track()));
    }

    /**
     * Ends when all inputs are handled. A run that is stopped writes its complete windows. These depend on other tasks too, so
     * a task waits until the others have handled their records.
     */
    private void endIfAllIsHandled() {
        if (reachedEnd == null || ended || !reachedEnd && !shards.areHandled()) {
            return;
        }
        ended = true;
        for (AggregationShard each : shards.all()) {
            // If the run is stopped before the end of the input, its open windows are left to the next run.
            if (reachedEnd) {
                close(each, Long.MAX_VALUE);
            } else {
                takeTimesOfOtherTasks(each);
                closePassedWindows(each);
                report(each, List.of());
            }
        }
        publish();
        out.accept(new AggregateOutput.TaskEnded(index));
    }

    private void publish() {
        shards.count(counters);
        counters.publish();
    }

    /** Returns how many units this task has in memory. */
    public int units() {
        return shards.units();
    }

    @Override
    public void close() {
        shards.close();
    }
}
