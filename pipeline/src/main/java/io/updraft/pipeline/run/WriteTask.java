package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.CommittingSink;
import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.WindowResult;
import java.util.ArrayList;
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
 * Writes results to the sinks, makes them durable together with the positions of the records that they are made of, and only then
 * tells the sources. Knows no threads: one calls it.
 */
final class WriteTask implements AutoCloseable {

    /** Told when positions are durable, for the sources to remember. */
    interface Commits {
        /** Everything of the unit before the position is written. */
        void commit(Unit unit, long position, long closedUntil);
    }

    private static final Logger LOG = LoggerFactory.getLogger(WriteTask.class);

    /** Flush when so many groups wait, however short the time. */
    private static final long MOST_GROUPS = 100_000;

    private record Position(long done, long closedUntil) {}

    private final RunPlan plan;
    private final List<Sink> sinks = new ArrayList<>();
    private final Merger merger;
    private final Commits commits;
    private final LongSupplier clock;
    private final Retries retries;
    private final WriteCounters counters;
    private final List<Ready> ready = new ArrayList<>();
    private final Map<Unit, Position> positions = new LinkedHashMap<>();
    private final Map<Unit, Position> committed = new LinkedHashMap<>();
    private final Set<Integer> endedTasks = new HashSet<>();
    private long readyGroups;
    private long nextFlush;
    private boolean ended;

    WriteTask(RunPlan plan, Commits commits, LongSupplier clock, Retries retries, WriteCounters counters) {
        this.plan = plan;
        this.commits = commits;
        this.clock = clock;
        this.retries = retries;
        this.counters = counters;
        this.merger = plan.keyed() ? null : new Merger(plan.parallelism());
    }

    /** Opens the sinks. */
    void open() throws SinkException, InterruptedException {
        for (Sink sink : plan.sinks()) {
            sinks.add(sink);
            retries.run(
                    () -> sink.open(
                            plan.query().result(), plan.query().dimensions().size()),
                    "opening a sink");
        }
        nextFlush = clock.getAsLong() + plan.flush().toMillis();
    }

    /** The positions that sinks have kept with results, by unit, after they were opened; null if none is to keep any. */
    Map<String, Commit> readKept() throws SinkException, InterruptedException {
        Map<String, Commit> kept = null;
        for (Sink sink : sinks) {
            if (sink instanceof CommittingSink keeping && keeping.keepsCommits()) {
                List<Map<String, Commit>> read = new ArrayList<>();
                retries.run(() -> read.add(keeping.readCommits()), "reading positions");
                kept = Kept.merge(kept, read.get(0));
            }
        }
        return kept;
    }

    /** Handles what an aggregate task has sent. */
    void handle(Output output) throws SinkException, InterruptedException {
        if (output instanceof Output.Closed closed) {
            take(closed);
        } else if (output instanceof Output.Dropped dropped) {
            drop(dropped.group()::equals);
            if (dropped.group().claim() != null) {
                dropped.group().claim().released();
            }
        } else {
            endedTasks.add(output.task());
            ended = endedTasks.size() == plan.parallelism();
        }
        if (ended || readyGroups >= MOST_GROUPS || clock.getAsLong() >= nextFlush) {
            flush();
        }
    }

    /** To be called about once a second. */
    void tick() throws SinkException, InterruptedException {
        if (clock.getAsLong() >= nextFlush) {
            flush();
        }
    }

    /** Whether all has been written, and all aggregate tasks have ended. */
    boolean isEnded() {
        return ended;
    }

    private void take(Output.Closed closed) {
        if (merger == null) {
            closed.results().forEach(result -> ready(closed.group(), result));
            closed.done().forEach((unit, done) -> positions.put(unit, new Position(done, closed.forgottenUntil())));
        } else {
            merger.add(closed);
            merger.results().forEach(result -> ready(null, result));
            merger.done().forEach((unit, done) -> positions.put(unit, new Position(done, merger.forgottenUntil())));
        }
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
    }

    /**
     * Writes what is ready, and says so. What was put aside goes first: it lies before the positions that are committed. A sink that fails in passing is tried again for as long as that lasts; those before it have
     * flushed, and are not given the same results again.
     */
    void flush() throws SinkException, InterruptedException {
        nextFlush = clock.getAsLong() + plan.flush().toMillis();
        retries.run(plan.aside()::flush, "writing records that are put aside");
        if (ready.isEmpty() && toCommit().isEmpty()) {
            return;
        }
        boolean sourceKnows = false;
        for (Sink sink : sinks) {
            sourceKnows |= flush(sink);
        }
        for (Ready each : ready) {
            counters.written(each.result());
        }
        ready.clear();
        readyGroups = 0;
        tell(sourceKnows);
        counters.publish();
    }

    /**
     * Writes all that is ready to one sink. If it says that claims are lost, their groups are dropped, and it gets the others; sinks
     * that have flushed before have results of the lost groups too, which whoever has those groups now writes again.
     */
    private boolean flush(Sink sink) throws SinkException, InterruptedException {
        while (true) {
            List<Commit> toCommit = toCommit();
            if (ready.isEmpty() && toCommit.isEmpty()) {
                return false;
            }
            Delivery delivery = new Delivery(sink, ready, toCommit);
            try {
                retries.run(delivery::attempt, "writing results");
                return delivery.doesSourceKnow();
            } catch (SinkException e) {
                if (e.lost().isEmpty()) {
                    throw e;
                }
                LOG.warn("{}; what was read of it is left to who has it now", e.getMessage());
                drop(group -> e.lost().contains(group.claim()));
            }
        }
    }

    private void tell(boolean sourceKnows) {
        positions.forEach((unit, position) -> {
            committed.put(unit, position);
            if (!sourceKnows) {
                commits.commit(unit, position.done(), position.closedUntil());
            }
        });
        positions.clear();
    }

    private List<Commit> toCommit() {
        Set<Unit.Group> moved = new HashSet<>();
        positions.forEach((unit, position) -> {
            if (!position.equals(committed.get(unit))) {
                moved.add(unit.group());
            }
        });
        List<Commit> list = new ArrayList<>();
        // All units of a group together: that is how a coordinator keeps them.
        positions.forEach((unit, position) -> {
            if (moved.contains(unit.group())) {
                list.add(new Commit(
                        unit.name(),
                        position.done(),
                        position.closedUntil(),
                        unit.group().claim()));
            }
        });
        return list;
    }

    @Override
    public void close() {
        sinks.forEach(Sink::close);
        sinks.clear();
    }
}
