package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Seen;
import io.updraft.pipeline.source.Source;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.PartialResult;
import io.updraft.timeseries.aggregate.TooManyGroups;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.Chunk;
import io.updraft.timeseries.record.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes chunks and adds their rows to windows. Emits the results of windows that the watermark has passed, and the positions
 * that are complete. Not thread-safe: one thread calls it.
 */
final class AggregateTask implements RowHandler, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AggregateTask.class);
    /** The earliest valid time: no measurement is older, and sinks cannot write much earlier times. */
    private static final long EARLIEST = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();

    /** The most chunks between two reports of positions, when no window ends. */
    private static final int REPORT_EVERY = 64;

    private final int index;
    private final RunPlan plan;
    private final Supplier<Aggregator> aggregators;
    private final Decoder decoder;
    private final TaskCounters counters;
    private final Consumer<Output> out;
    private final LongSupplier clock;
    private final int timeSlot;
    private final long disorder;
    private final long ahead;
    private final long slide;
    private final long lateness;
    private final Map<Unit.Group, Shard> shards = new LinkedHashMap<>();
    private final Set<Integer> endedSources = new HashSet<>();
    /** How many units of each source this task has opened, by the index of the source. */
    private final Map<Integer, Long> openings = new HashMap<>();

    /** The shard of all units; null if each group is aggregated on its own. */
    private Shard common;

    private long nextEarly;
    private long nextAlarm;
    private String toldQuiet;
    private boolean whole = true;
    private boolean ended;

    private Chunk chunk;
    /** The shard of the current chunk. */
    private Shard shard;

    private UnitState state;
    private Unit unit;
    private long now;
    private long lastEnd;
    private int handled;

    AggregateTask(
            int index,
            RunPlan plan,
            Supplier<Aggregator> aggregators,
            TaskCounters counters,
            Consumer<Output> out,
            LongSupplier clock) {
        this.index = index;
        this.plan = plan;
        this.aggregators = aggregators;
        this.decoder = plan.decoders().get();
        this.counters = counters;
        this.out = out;
        this.clock = clock;
        TimePolicy time = plan.time();
        timeSlot = time.kind() == TimePolicy.Kind.EVENT ? plan.query().input().slot(time.field()) : -1;
        disorder = Math.min(time.disorder().toMillis(), Long.MAX_VALUE / 4);
        ahead = time.ahead().toMillis();
        slide = plan.query().window().slide().toMillis();
        lateness = Math.min(plan.query().window().lateness().toMillis(), Long.MAX_VALUE / 4);
        common = plan.keyed() ? null : newShard(null);
        nextEarly = clock.getAsLong() + plan.early().toMillis();
    }

    private Shard newShard(Unit.Group group) {
        return new Shard(aggregators.get(), group, disorder, slide, lateness);
    }

    /** Handles an input from a task that reads a source. */
    void handle(Input input) {
        if (input instanceof Input.SourceEnded end) {
            whole &= end.whole();
            endedSources.add(end.source());
            endIfAllIsHandled();
            return;
        }
        Input.Happened happened = (Input.Happened) input;
        handle(happened.unit(), happened.event(), happened.since(), happened.dealt());
    }

    private void handle(Unit which, Source.Event event, long since, long dealt) {
        if (event instanceof Source.Event.Records records) {
            add(which, records.chunk(), since, dealt);
            return;
        }
        if (event instanceof Source.Event.Opened opened) {
            checkWindows(opened);
            Shard opens = shardOf(which);
            openings.merge(which.source(), 1L, Long::sum);
            opens.open(which, new UnitState(opened.position()), closedUntil(opened));
            // Reported before any result of the unit, so that no result is written without a position.
            tell(opens);
            return;
        }
        Shard of = plan.keyed() ? shards.get(which.group()) : common;
        UnitState known = of == null ? null : of.units().get(which);
        if (event instanceof Source.Event.Revoked) {
            // A unit that is done may be forgotten already, but its group may not: the owner of its claim waits for the
            // drop.
            if (known != null || plan.keyed() && of != null) {
                drop(which, of);
            }
            return;
        }
        if (known == null) {
            return; // revoked, or never assigned to this task
        }
        if (event instanceof Source.Event.Bad bad) {
            counters.records++;
            unit = which;
            bad(bad.position(), bad.head(), 0, bad.head().length, bad.reason());
            if (plan.track()) {
                known.handled(since, bad.position(), bad.to(), Long.MIN_VALUE, clock.getAsLong());
            }
            which.frontier().handled(since, dealt, known.latest());
            return;
        }
        known.dealt(dealt);
        if (event instanceof Source.Event.Idle) {
            known.idle();
            hearOfOthers(which, known);
        } else {
            known.end();
        }
        closeWhatHasPassed(of);
        if (of.hasOver()) {
            tell(of);
        } else {
            report(of);
        }
        // A group with a claim is kept until it is revoked or the run ends: then its claim is released.
        if (plan.keyed() && of.haveAllEnded() && which.group().claim() == null) {
            of.aggregator().close();
            shards.remove(which.group());
        }
    }

    private void checkWindows(Source.Event.Opened opened) {
        String before = opened.seen().windows();
        if (!before.isEmpty() && !before.equals(WindowShape.of(plan))) {
            throw new IllegalStateException("pipeline " + plan.name() + " continues " + opened.unit()
                    + " after a run with another 'every', 'slide', 'group_by' or 'time': its first windows would"
                    + " lack the rows that the earlier run has counted; undo the change, or start over with another"
                    + " 'name' (and 'group' of Kafka) and other files of results");
        }
    }

    private long closedUntil(Source.Event.Opened opened) {
        return plan.time().isOfRecords() ? opened.closedUntil() : Long.MIN_VALUE;
    }

    private Shard shardOf(Unit which) {
        return plan.keyed() ? shards.computeIfAbsent(which.group(), this::newShard) : common;
    }

    /**
     * Drops a revoked group. Groups that are aggregated together are revoked together, which the source ensures, so the first
     * drops all.
     */
    private void drop(Unit which, Shard of) {
        of.aggregator().close();
        if (plan.keyed()) {
            shards.remove(which.group());
            out.accept(new Output.Dropped(index, Set.of(which.group())));
        } else {
            Set<Unit.Group> groups =
                    of.units().keySet().stream().map(Unit::group).collect(Collectors.toSet());
            common = newShard(null);
            out.accept(new Output.Dropped(index, groups));
        }
    }

    private void add(Unit which, Chunk records, long since, long dealt) {
        chunk = records;
        shard = plan.keyed() ? shards.get(which.group()) : common;
        state = shard == null ? null : shard.units().get(which);
        if (state == null) {
            chunk.release();
            return; // read before the unit was revoked
        }
        unit = which;
        now = clock.getAsLong();
        lastEnd = Long.MIN_VALUE;
        try {
            counters.records += decoder.decode(chunk, this);
        } catch (TooManyGroups e) {
            throw new TooManyGroups(e.getMessage() + " (" + which.name() + " from " + chunk.from() + ")");
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            // Other errors, such as OutOfMemoryError, are not caused by the records.
            throw new IllegalStateException(
                    "aggregate task " + index + " cannot handle " + which.name() + " from " + chunk.from() + " to "
                            + chunk.to() + ": " + e,
                    e);
        }
        counters.bytes += chunk.length();
        shard.took(lastEnd);
        if (plan.track()) {
            state.handled(since, chunk.from(), chunk.to(), lastEnd, now);
        }
        which.frontier().handled(since, dealt, state.latest());
        hearOfOthers(which, state);
        chunk.release();
        closeWhatHasPassed(shard);
        if (++handled % REPORT_EVERY == 0) {
            tell(shard);
        }
        counters.publish();
    }

    @Override
    public void row(Row row, long position, long sourceTime) {
        long time;
        switch (plan.time().kind()) {
            case EVENT -> {
                if (row.kind(timeSlot) != Row.LONG) {
                    bad(position, "no value in the time field " + plan.time().field());
                    return;
                }
                time = row.getLong(timeSlot);
            }
            case SOURCE -> time = sourceTime;
            case PROCESSING -> time = now;
            default -> time = 0;
        }
        if (time < EARLIEST) {
            bad(position, "its time, " + time + " ms since 1970, is before the year 1");
            return;
        }
        if (time - now > ahead) {
            bad(position, "its time is " + (time - now) / 1000 + " s ahead of the clock");
            return;
        }
        counters.rows++;
        long end = isPassed(time) ? Aggregator.LATE : shard.aggregator().add(row, time);
        state.sawTime(time);
        if (end != Aggregator.LATE) {
            lastEnd = Math.max(lastEnd, end);
        } else if (unit.seen().covers(position, lastEndOf(time))) {
            counters.again++;
        } else {
            counters.late++;
            plan.aside().late(unit.name(), position, row, time);
        }
    }

    /**
     * Returns whether a row comes after another row that has ended all its windows, closed already or not. Windows are closed
     * after a chunk, and after a crash the chunks have other limits. So if one unit alone determines the watermark, the same
     * rows are late in both runs.
     */
    private boolean isPassed(long time) {
        long passed = Shard.minus(state.latest(), disorder);
        return time < passed
                && shard.isOfOneUnit()
                && plan.time().isOfRecords()
                && lastEndOf(time) + lateness <= passed;
    }

    /** Returns the end of the latest window that contains a time. */
    private long lastEndOf(long time) {
        return Math.floorDiv(time, slide) * slide + plan.query().window().size().toMillis();
    }

    /** Reports the current record as a dead letter. */
    private void bad(long position, String reason) {
        bad(position, chunk.bytes(), decoder.recordFrom(), decoder.recordLength(), reason);
    }

    @Override
    public void bad(long position, byte[] bytes, int from, int length, String reason) {
        if (unit.seen().covers(position)) {
            counters.again++;
            return;
        }
        counters.bad(unit.name(), position, reason);
        plan.aside().bad(unit.name(), position, bytes, from, length, reason);
    }

    /** Closes windows that end by the clock, emits early results and checks for overdue records. Called about once a second. */
    void tick() {
        long time = clock.getAsLong();
        for (Shard each : all()) {
            if (plan.time().kind() == TimePolicy.Kind.PROCESSING) {
                each.sawTime(time);
            }
            hearOfOthers(each);
            closeWhatHasPassed(each);
            report(each);
        }
        if (!plan.early().isZero() && time >= nextEarly) {
            nextEarly = time + plan.early().toMillis();
            all().forEach(this::giveEarly);
        }
        alarm(time);
        counters.measure(all());
        counters.publish();
        endIfAllIsHandled();
    }

    private void hearOfOthers(Shard of) {
        of.units().forEach(this::hearOfOthers);
    }

    /**
     * Advances the time of a unit whose records several tasks handle, since none of them knows its time alone. Other tasks may
     * be ahead of this one. So this task must have opened all units that were opened before the records of the others: these
     * units hold windows open.
     */
    private void hearOfOthers(Unit which, UnitState its) {
        long time = which.frontier().latest();
        // Compared after the time was read: a unit that is opened later does not come before records of that time.
        if (!plan.keyed() && openings.get(which.source()) == which.openings().get()) {
            its.sawTimeOfOthers(time);
        }
    }

    private Iterable<Shard> all() {
        return plan.keyed() ? shards.values() : List.of(common);
    }

    private void giveEarly(Shard of) {
        List<PartialResult> results = of.aggregator().early();
        if (!results.isEmpty()) {
            tell(of, results);
        }
    }

    private void closeWhatHasPassed(Shard of) {
        long watermark = of.watermark();
        if (of.passes(watermark)) {
            close(of, watermark);
        }
    }

    private void close(Shard of, long watermark) {
        List<PartialResult> results = of.aggregator().close(watermark);
        of.closed(watermark);
        of.units().values().forEach(unit -> unit.forget(of.forgotten()));
        of.gotOn();
        // Reported even without results: those of other tasks wait for this one.
        tell(of, results);
    }

    /** Reports the positions of the units, if they have advanced. */
    private void report(Shard of) {
        if (of.gotOn()) {
            tell(of);
        }
    }

    private void tell(Shard of) {
        tell(of, List.of());
    }

    private void tell(Shard of, List<PartialResult> results) {
        out.accept(new Output.Closed(index, of.group(), results, of.closed(), of.forgotten(), handled(of), done(of)));
        of.forgetOver();
    }

    private Map<Unit, Seen> handled(Shard of) {
        Map<Unit, Seen> handled = new LinkedHashMap<>();
        of.units().forEach((unit, state) -> handled.put(unit, state.takeHandled()));
        return handled;
    }

    private Map<Unit, Long> done(Shard of) {
        if (!plan.track()) {
            return Map.of();
        }
        Map<Unit, Long> done = new LinkedHashMap<>();
        of.units().forEach((unit, state) -> done.put(unit, Shard.isOver(unit, state) ? Output.OVER : state.done()));
        return done;
    }

    /**
     * Ends when all inputs are handled. A run that is stopped writes its complete windows. These depend on other tasks too, so
     * a task waits until the others have handled their records.
     */
    private void endIfAllIsHandled() {
        boolean all = endedSources.size() == plan.sources().size();
        if (all && !ended && (whole || isAllHandled())) {
            end();
        }
    }

    private boolean isAllHandled() {
        for (Shard each : all()) {
            if (!each.units().keySet().stream().allMatch(unit -> unit.frontier().isComplete())) {
                return false;
            }
        }
        return true;
    }

    /** Closes all windows at the end of the input. If the run is stopped before, its open windows are left to the next run. */
    private void end() {
        ended = true;
        for (Shard each : all()) {
            if (whole) {
                close(each, Long.MAX_VALUE);
            } else {
                hearOfOthers(each);
                closeWhatHasPassed(each);
                tell(each);
            }
        }
        counters.measure(all());
        counters.publish();
        out.accept(new Output.TaskEnded(index));
    }

    /** Returns how many units this task has in memory. */
    int units() {
        int units = 0;
        for (Shard each : all()) {
            units += each.units().size();
        }
        return units;
    }

    boolean isEnded() {
        return ended;
    }

    private void alarm(long time) {
        long limit = plan.alarm().toMillis();
        if (limit == 0 || time < nextAlarm) {
            return;
        }
        nextAlarm = time + Math.max(1_000, limit / 4);
        List<Shard> quiet = new ArrayList<>();
        for (Shard each : all()) {
            if (each.isQuiet()) {
                quiet.add(each);
            } else {
                Overdue.of(each, time, limit, plan.query().window())
                        .forEach(line -> counters.alarm("aggregate task " + index + ": " + line));
            }
        }
        tellQuiet(Overdue.ofQuiet(quiet, time, limit, plan.query().window()));
    }

    /** Logs idle windows once: this is not an error, but somebody may wait for these windows. */
    private void tellQuiet(String line) {
        if (line != null && !line.equals(toldQuiet)) {
            LOG.warn("aggregate task {}: {}", index, line);
        }
        toldQuiet = line;
    }

    @Override
    public void close() {
        all().forEach(each -> each.aggregator().close());
        shards.clear();
    }
}
