package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.CommittingSink;
import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Seen;
import io.updraft.pipeline.source.Source;
import io.updraft.timeseries.aggregate.WindowResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes results to the sinks, makes them durable together with the positions of their records, and only then commits the
 * positions to the sources. Not thread-safe: one thread calls it.
 */
final class WriteTask implements AutoCloseable {

    /** Receives durable positions, for the sources to store. */
    interface Commits {
        /** Commits positions of units: all of them, or none if the process dies. */
        void commit(Map<Unit, Commit> commits);
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteTask.class);

    /** A flush starts when this many groups wait, even before it is due. */
    private static final long MOST_GROUPS = 100_000;

    /** The message for a lost claim at the end of a run: this process reads nothing more, so it could not recover. */
    private static final String TOO_LATE =
            "the last results were not written: before they were committed, the source's partitions were revoked from"
                    + " this process, or its session was lost; start the pipeline again, and it continues after the"
                    + " last commit";

    private static final Comparator<WindowResult> BY_END =
            Comparator.comparingLong(result -> result.window().end());

    private record Position(long done, long closedUntil, Seen seen) {
        boolean isAsFarAs(Position other) {
            return other != null && done == other.done && closedUntil == other.closedUntil;
        }
    }

    private final RunPlan plan;
    private final List<Sink> sinks = new ArrayList<>();
    private final Drops drops;
    private final Commits commits;
    private final LongSupplier clock;
    private final Retries retries;
    private final WriteCounters counters;
    private final long mostGroups;
    private final String windows;
    private final List<Ready> ready = new ArrayList<>();

    /** Merges the results of tasks; null if groups are aggregated on their own. */
    private Merger merger;

    private final Map<Unit, Position> positions = new LinkedHashMap<>();
    private final Map<Unit, Position> committed = new LinkedHashMap<>();
    /** The seen rows of each unit, from the position to commit on. */
    private final Map<Unit, Seen> seen = new HashMap<>();

    /** Units that can be forgotten when their positions are committed. */
    private final Set<Unit> over = new HashSet<>();
    /** Groups with a claim that may have results in flight. */
    private final Set<Unit.Group> claimed = new HashSet<>();

    private final Set<Integer> endedTasks = new HashSet<>();
    private long readyGroups;
    private long nextFlush;
    private boolean ended;

    WriteTask(RunPlan plan, Commits commits, LongSupplier clock, Retries retries, WriteCounters counters) {
        this(plan, commits, clock, retries, counters, MOST_GROUPS);
    }

    /** Creates a task that flushes when {@code mostGroups} groups wait. */
    WriteTask(
            RunPlan plan,
            Commits commits,
            LongSupplier clock,
            Retries retries,
            WriteCounters counters,
            long mostGroups) {
        this.plan = plan;
        this.commits = commits;
        this.clock = clock;
        this.retries = retries;
        this.counters = counters;
        this.mostGroups = mostGroups;
        this.windows = WindowShape.of(plan);
        this.merger = plan.keyed() ? null : new Merger(plan.parallelism());
        this.drops = plan.keyed() ? null : new Drops(plan.parallelism());
    }

    /** Opens the sinks. */
    void open() throws SinkException, InterruptedException {
        for (Sink sink : plan.sinks()) {
            sinks.add(sink);
            retries.run(
                    wait -> sink.open(
                            plan.query().result(), plan.query().dimensions().size()),
                    "Opening " + sink.where());
        }
        nextFlush = clock.getAsLong() + plan.flush().toMillis();
    }

    /** Reads the positions that sinks have stored with results, by unit, after they were opened; null if no sink stores any. */
    Map<String, Commit> readKept() throws SinkException, InterruptedException {
        Map<String, Commit> kept = null;
        for (Sink sink : sinks) {
            if (sink instanceof CommittingSink keeping && keeping.keepsCommits()) {
                List<Map<String, Commit>> read = new ArrayList<>();
                retries.run(wait -> read.add(keeping.readCommits()), "Reading the positions in " + sink.where());
                kept = Kept.merge(kept, read.get(0));
            }
        }
        return kept;
    }

    /** Handles an output of an aggregate task. */
    void handle(Output output) throws SinkException, InterruptedException {
        if (output instanceof Output.Closed closed) {
            take(closed);
        } else if (output instanceof Output.Dropped dropped) {
            take(dropped);
        } else {
            endedTasks.add(output.task());
            ended = endedTasks.size() == plan.parallelism();
        }
        if (ended || readyGroups >= mostGroups || clock.getAsLong() >= nextFlush) {
            flush();
        }
        if (ended) {
            release();
        }
    }

    private void release() {
        claimed.forEach(group -> group.claim().released());
        claimed.clear();
    }

    /** Flushes if it is time. Called about once a second. */
    void tick() throws SinkException, InterruptedException {
        if (clock.getAsLong() >= nextFlush) {
            flush();
        }
    }

    /** Returns whether all results are written and all aggregate tasks have ended. */
    boolean isEnded() {
        return ended;
    }

    private void take(Output.Closed closed) throws SinkException, InterruptedException {
        if (drops != null && !drops.isUpToDate(closed.task())) {
            return;
        }
        closed.handled()
                .forEach((unit, more) ->
                        seen.put(unit, seen.getOrDefault(unit, unit.seen()).handled(more)));
        if (merger == null) {
            take(closed.group(), closed.results(), closed.done(), closed.forgottenUntil());
        } else {
            merger.add(closed);
            Map<Unit, Long> done = merger.done();
            // Early results wait until there is a position to commit: the claim of the position is the right to write
            // them.
            if (!plan.track()
                    || done.entrySet().stream().anyMatch(each -> each.getKey().toCommit(each.getValue()) >= 0)) {
                take(null, merger.results(), done, merger.forgottenUntil());
            }
        }
    }

    /**
     * Takes results, and flushes between windows if many end at once, as after a pause. Up to the end of a window that accepts
     * no more rows, results can be committed with the earlier positions. After a crash the rows behind these positions are read
     * again, and dropped where their windows are written.
     */
    private void take(Unit.Group group, List<? extends WindowResult> results, Map<Unit, Long> done, long forgottenUntil)
            throws SinkException, InterruptedException {
        List<? extends WindowResult> inOrder = results.stream().sorted(BY_END).toList();
        for (int i = 0; i < inOrder.size(); i++) {
            long end = inOrder.get(i).window().end();
            ready(group, inOrder.get(i));
            boolean more = i + 1 < inOrder.size() && inOrder.get(i + 1).window().end() > end;
            if (more && readyGroups >= mostGroups && end <= forgottenUntil && closeUntil(end, done.keySet())) {
                flush();
                if (!known().keySet().containsAll(done.keySet())) {
                    return; // the claim was lost
                }
            }
        }
        positions(done, forgottenUntil);
    }

    /**
     * Sets the time up to which windows are closed. Returns false if the position of a unit is unknown, or if the clock decides
     * the windows of rows. Also false if groups are aggregated together: then tasks differ in progress, and have late rows for
     * windows that other tasks have not closed.
     */
    private boolean closeUntil(long end, Set<Unit> units) {
        Map<Unit, Position> known = known();
        if (merger != null || !plan.time().isOfRecords() || !known.keySet().containsAll(units)) {
            return false;
        }
        Map<Unit, Long> done = new LinkedHashMap<>();
        units.forEach(unit -> done.put(unit, known.get(unit).done()));
        positions(done, end);
        return true;
    }

    private Map<Unit, Position> known() {
        Map<Unit, Position> known = new LinkedHashMap<>(committed);
        known.putAll(positions);
        return known;
    }

    private void positions(Map<Unit, Long> done, long forgottenUntil) {
        long closedUntil = plan.time().isOfRecords() ? forgottenUntil : Long.MIN_VALUE;
        done.forEach((unit, said) -> {
            if (said == Output.OVER) {
                over.add(unit);
            }
            if (unit.group().claim() != null) {
                claimed.add(unit.group());
            }
            long position = unit.toCommit(said);
            Seen left = seen.getOrDefault(unit, unit.seen()).from(position);
            seen.put(unit, left);
            positions.put(unit, new Position(position, closedUntil, left.closedUntil(closedUntil)));
        });
    }

    private void take(Output.Dropped dropped) {
        if (drops == null) {
            drop(dropped.groups()::contains);
        } else if (drops.isFirst(dropped.task())) {
            dropAll();
        }
        dropped.groups().stream()
                .filter(group -> drops == null || drops.isLast(group))
                .filter(group -> group.claim() != null)
                .forEach(group -> group.claim().released());
    }

    private void ready(Unit.Group group, WindowResult result) {
        ready.add(new Ready(group, result));
        readyGroups += result.size();
    }

    private void drop(Predicate<Unit.Group> which) {
        ready.removeIf(each -> each.group() != null && which.test(each.group()));
        readyGroups = ready.stream().mapToLong(each -> each.result().size()).sum();
        positions.keySet().removeIf(unit -> which.test(unit.group()));
        committed.keySet().removeIf(unit -> which.test(unit.group()));
        seen.keySet().removeIf(unit -> which.test(unit.group()));
        over.removeIf(unit -> which.test(unit.group()));
        claimed.removeIf(which);
    }

    private void dropAll() {
        merger = new Merger(plan.parallelism());
        ready.clear();
        readyGroups = 0;
        positions.clear();
        committed.clear();
        seen.clear();
        over.clear();
        claimed.clear();
    }

    /** Drops groups whose claims a sink has lost, before the source reports it. */
    private void dropLost(Set<Source.Claim> lost) {
        if (drops == null) {
            drop(group -> lost.contains(group.claim()));
        } else {
            drops.begin();
            dropAll();
        }
    }

    /**
     * Writes all ready results and commits their positions. Dead letters and late rows go first: they lie before the positions
     * to commit, as do the records of groups that overflow. A sink with a passing failure is retried until it succeeds. The
     * sinks before it have flushed, and do not get the same results again.
     */
    void flush() throws SinkException, InterruptedException {
        nextFlush = clock.getAsLong() + plan.flush().toMillis();
        ready.forEach(this::putOverflowsAside);
        retries.run(wait -> plan.aside().flush(), "Writing dead letters and late rows");
        if (ready.isEmpty() && toCommit().isEmpty()) {
            return;
        }
        boolean sourceKnows = false;
        for (Sink sink : sinks) {
            sourceKnows |= flush(sink);
        }
        tell(sourceKnows);
        for (Ready each : ready) {
            counters.written(each.result());
        }
        ready.clear();
        readyGroups = 0;
        counters.publish();
    }

    /** Reports groups that overflow. Skips early results: the groups may fit again by the end of the window. */
    private void putOverflowsAside(Ready each) {
        WindowResult result = each.result();
        if (result.emission() == WindowResult.Emission.EARLY) {
            return;
        }
        String unit = each.group() == null ? plan.name() : each.group().name();
        result.forEachOverflow(group -> {
            if (counters.overflowed()) {
                LOG.warn(
                        "a group of the window that starts at {} is a dead letter and missing in the result: {};"
                                + " others are only counted",
                        Instant.ofEpochMilli(result.window().start()),
                        group.reason());
            }
            plan.aside().overflow(unit, result.window(), group);
        });
    }

    /**
     * Writes all ready results to one sink. If the sink reports lost claims, their groups are dropped, and it gets the other
     * results. Sinks that have flushed before contain results of the lost groups too; the new owner writes them again.
     */
    private boolean flush(Sink sink) throws SinkException, InterruptedException {
        while (true) {
            List<Commit> toCommit = toCommit();
            if (ready.isEmpty() && toCommit.isEmpty()) {
                return false;
            }
            Delivery delivery = new Delivery(sink, ready, toCommit);
            try {
                retries.run(delivery::attempt, "Writing to " + sink.where());
                return delivery.doesSourceKnow();
            } catch (SinkException e) {
                if (e.lost().isEmpty()) {
                    throw e;
                }
                if (ended) {
                    throw SinkException.lasting(TOO_LATE, e);
                }
                LOG.warn("{}; its new owner continues after the last commit", e.getMessage());
                dropLost(e.lost());
            }
        }
    }

    private void tell(boolean sourceKnows) {
        Map<Unit, Commit> told = new LinkedHashMap<>();
        Predicate<Unit> concerned = concerned();
        positions.forEach((unit, position) -> {
            if (concerned.test(unit)) {
                told.put(unit, commit(unit, position));
            }
        });
        told.keySet().forEach(unit -> committed.put(unit, positions.get(unit)));
        positions.clear();
        over.forEach(unit -> {
            committed.remove(unit);
            seen.remove(unit);
        });
        over.clear();
        if (!sourceKnows && !told.isEmpty()) {
            commits.commit(told);
        }
    }

    /**
     * Returns the commits of groups whose positions have advanced, and of groups with results: their claims are the right to
     * write. All units of a group are committed together, since a coordinator stores them together.
     */
    private List<Commit> toCommit() {
        Predicate<Unit> concerned = concerned();
        List<Commit> list = new ArrayList<>();
        known().forEach((unit, position) -> {
            if (concerned.test(unit)) {
                list.add(commit(unit, position));
            }
        });
        return list;
    }

    private Predicate<Unit> concerned() {
        Set<Unit.Group> concerned = new HashSet<>();
        positions.forEach((unit, position) -> {
            // Rows that have become late since are late again after a crash, which is worth a commit only at the end.
            Position last = committed.get(unit);
            if (over.contains(unit) || (ended ? !position.equals(last) : !position.isAsFarAs(last))) {
                concerned.add(unit.group());
            }
        });
        ready.forEach(each -> concerned.add(each.group()));
        boolean all = concerned.contains(null);
        return unit -> all || concerned.contains(unit.group());
    }

    private Commit commit(Unit unit, Position position) {
        return new Commit(
                unit.name(),
                position.done(),
                position.closedUntil(),
                position.seen().of(windows),
                unit.group().claim());
    }

    /** Returns how many entries for units are in memory. */
    int units() {
        return committed.size() + seen.size() + positions.size() + over.size() + (merger == null ? 0 : merger.units());
    }

    @Override
    public void close() {
        sinks.forEach(Sink::close);
        sinks.clear();
    }
}
