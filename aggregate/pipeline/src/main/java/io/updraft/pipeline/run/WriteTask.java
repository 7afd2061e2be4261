package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.Selector;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes results to the sinks, makes them durable together with the positions of their records, and only then commits the
 * positions to the sources. Not thread-safe: one thread calls it.
 */
final class WriteTask implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WriteTask.class);

    /** A flush starts when this many groups wait, even before it is due. */
    public static final long MAX_GROUPS = 100_000;

    /** The message for a lost share at the end of a run: this process reads nothing more, so it could not recover. */
    private static final String TOO_LATE =
            "the last results were not written: before they were committed, the source's partitions were revoked from"
                    + " this process, or its session was lost; start the pipeline again, and it continues after the"
                    + " last commit";

    private static final Comparator<WindowResult> BY_END =
            Comparator.comparingLong(result -> result.window().end());

    private static final Comparator<PartitionPosition> BY_PROGRESS =
            Comparator.comparingLong(PartitionPosition::position).thenComparingLong(PartitionPosition::closedUntil);

    private final RunPlan.Aggregation plan;
    private final RejectionHandler rejected;
    private final SinkRefusals.GroupRejections rejections;
    private final Map<ResultSink, SinkRefusals> sinks = new LinkedHashMap<>();
    private final ShareDrops drops;
    private final Consumer<Map<Partition, PartitionPosition>> commits;
    private final LongSupplier clock;
    private final SinkRetries retries;
    private final WriteCounters counters;
    private final long maxGroups;
    private final PositionLedger positions;
    private final List<SinkDelivery.ShareResult> ready = new ArrayList<>();

    /** Makes what is written of the groups; null if that is all of them. */
    private final Selector selector;

    /** Merges the results of tasks; null if shares are aggregated on their own. */
    private ResultMerger merger;

    private final Set<Integer> endedTasks = new HashSet<>();
    private long readyShares;
    private long nextFlush;
    private boolean ended;

    /**
     * Creates a task that flushes when {@code mostGroups} groups wait. {@code commits} receives durable positions for the
     * source: it stores all of one call, or none if the process dies.
     */
    public WriteTask(
            RunPlan.Aggregation plan,
            Consumer<Map<Partition, PartitionPosition>> commits,
            LongSupplier clock,
            SinkRetries retries,
            WriteCounters counters,
            long mostGroups) {
        this.plan = plan;
        this.commits = commits;
        this.clock = clock;
        this.retries = retries;
        this.counters = counters;
        this.maxGroups = mostGroups;
        this.rejected = plan.settings().rejected();
        this.rejections = new SinkRefusals.GroupRejections(plan.settings().name(), rejected, counters);
        this.positions = new PositionLedger(plan);
        this.selector = plan.selection() == null
                ? null
                : new Selector(
                        plan.selection(),
                        plan.query().result(),
                        plan.query().dimensions().size());
        int tasks = plan.settings().parallelism();
        this.merger = plan.settings().keyed() ? null : new ResultMerger(tasks);
        this.drops = plan.settings().keyed() ? null : new ShareDrops(tasks);
    }

    public void open() throws SinkException, InterruptedException {
        for (ResultSink sink : plan.sinks()) {
            sinks.put(sink, new SinkRefusals(sink, rejections));
            Schema schema = selector == null ? plan.query().result() : selector.schema();
            retries.run(wait -> sink.open(schema, plan.query().dimensions().size()), "Opening " + sink.where());
        }
        nextFlush = clock.getAsLong() + plan.flush().toMillis();
    }

    /** Reads the positions that sinks have stored with results, by partition, after they were opened; null if no sink stores any. */
    public Map<String, PartitionPosition> readStoredPositions() throws SinkException, InterruptedException {
        Map<String, PartitionPosition> kept = null;
        for (ResultSink sink : sinks.keySet()) {
            AtomicReference<Map<String, PartitionPosition>> read = new AtomicReference<>();
            retries.run(wait -> read.set(sink.readCommits()), "Reading the positions in " + sink.where());
            if (read.get() != null) {
                kept = kept == null ? Map.copyOf(read.get()) : furthestBehind(kept, read.get());
            }
        }
        return kept;
    }

    /**
     * Returns the commits from which the source continues. A crash between two flushes may leave one sink behind another. The
     * source begins at the position of the sink that is furthest behind; a partition that one of the sinks lacks starts over.
     */
    private static Map<String, PartitionPosition> furthestBehind(
            Map<String, PartitionPosition> one, Map<String, PartitionPosition> other) {
        return one.keySet().stream()
                .filter(other::containsKey)
                .collect(Collectors.toUnmodifiableMap(
                        partition -> partition,
                        partition -> Stream.of(one.get(partition), other.get(partition))
                                .min(BY_PROGRESS)
                                .orElseThrow()));
    }

    public void handle(AggregateOutput output) throws SinkException, InterruptedException {
        if (output instanceof AggregateOutput.Closed closed) {
            take(closed);
        } else if (output instanceof AggregateOutput.Dropped dropped) {
            take(dropped);
        } else if (output instanceof AggregateOutput.Restored restored) {
            take(restored);
        } else {
            endedTasks.add(output.task());
            ended = endedTasks.size() == plan.settings().parallelism();
        }
        if (ended || readyShares >= maxGroups || clock.getAsLong() >= nextFlush) {
            flush();
        }
        if (ended) {
            positions.release();
        }
    }

    /** Flushes if it is time. Called about once a second. */
    public void tick() throws SinkException, InterruptedException {
        if (clock.getAsLong() >= nextFlush) {
            flush();
        }
    }

    /** Returns whether all results are written and all aggregate tasks have ended. */
    public boolean isEnded() {
        return ended;
    }

    private void take(AggregateOutput.Restored restored) {
        if (drops.isUpToDate(restored.task())) {
            merger.add(restored);
        }
    }

    private void take(AggregateOutput.Closed closed) throws SinkException, InterruptedException {
        UnusableRecords unusable = plan.settings().unusable();
        unusable.add(closed.used());
        positions.hold(unusable.holdsPositions());
        if (drops != null && !drops.isUpToDate(closed.task())) {
            return;
        }
        positions.handled(closed.handled());
        if (merger == null) {
            take(closed.share(), closed.results(), closed.done(), closed.forgottenUntil(), closed.closedUntil());
        } else {
            merger.add(closed);
            // Early results wait for a position to commit: only the owner of its share may write them.
            if (!plan.settings().track() || merger.hasPosition()) {
                take(null, merger.results(), merger.takeDone(), merger.forgottenUntil(), merger.closedUntil());
            }
        }
    }

    /**
     * Takes results, and flushes between windows if many end at once, as after a pause. Up to the end of a window that accepts
     * no more rows, results can be committed with the earlier positions. After a crash the rows behind these positions are read
     * again, and dropped where their windows are written.
     */
    private void take(
            Partition.Share share,
            List<? extends WindowResult> results,
            Map<Partition, Long> done,
            long forgottenUntil,
            long closedUntil)
            throws SinkException, InterruptedException {
        List<? extends WindowResult> inOrder = results.stream().sorted(BY_END).toList();
        for (int i = 0; i < inOrder.size(); i++) {
            long end = inOrder.get(i).window().end();
            WindowResult result = selector == null ? inOrder.get(i) : selector.select(inOrder.get(i));
            ready.add(new SinkDelivery.ShareResult(share, result));
            readyShares += result.size();
            boolean more = i + 1 < inOrder.size() && inOrder.get(i + 1).window().end() > end;
            if (more && readyShares >= maxGroups && end <= forgottenUntil && closeUntil(end, done)) {
                flush();
                if (!positions.knows(done.keySet())) {
                    return; // the share was lost
                }
            }
        }
        // At the end of time, no window is open that could change.
        long emittedUntil = closedUntil == Long.MAX_VALUE ? forgottenUntil : closedUntil;
        positions.set(done, forgottenUntil, emittedUntil);
        if (merger != null) {
            positions.closeAll(forgottenUntil, emittedUntil);
        }
    }

    /**
     * Closes windows earlier than other windows of the same report. Not if shares are aggregated together: then tasks differ in
     * progress, and have late rows for windows that other tasks have not closed.
     */
    private boolean closeUntil(long end, Map<Partition, Long> done) {
        return merger == null && positions.closeUntil(end, done.keySet());
    }

    private void take(AggregateOutput.Dropped dropped) {
        if (drops == null) {
            drop(dropped.shares()::contains);
        } else if (drops.isFirst(dropped.task())) {
            dropAll();
        }
        dropped.shares().stream()
                .filter(share -> drops == null || drops.isLast(share))
                .filter(share -> share.ownership() != null)
                .forEach(share -> share.ownership().released());
    }

    private void drop(Predicate<Partition.Share> isDropped) {
        ready.removeIf(each -> isDropped.test(each.share()));
        readyShares = ready.stream().mapToLong(each -> each.result().size()).sum();
        positions.drop(isDropped);
    }

    private void dropAll() {
        merger = new ResultMerger(plan.settings().parallelism());
        drop(share -> true);
    }

    /** Drops shares whose ownership a sink has lost, before the source reports it. */
    private void dropLost(Set<RecordSource.Ownership> lost) {
        if (drops == null) {
            drop(share -> lost.contains(share.ownership()));
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
    public void flush() throws SinkException, InterruptedException {
        nextFlush = clock.getAsLong() + plan.flush().toMillis();
        positions.settle();
        plan.settings().unusable().warn(clock.getAsLong(), ended);
        ready.forEach(rejections::overflows);
        flushRejected();
        if (!hasWork()) {
            return;
        }
        boolean sourceKnows = false;
        for (ResultSink sink : sinks.keySet()) {
            sourceKnows |= flush(sink);
        }
        Map<Partition, PartitionPosition> committed = positions.commit(readyShares(), ended);
        if (!sourceKnows && !committed.isEmpty()) {
            commits.accept(committed);
        }
        ready.forEach(each -> counters.written(leastWritten(each.result())));
        sinks.values().forEach(SinkRefusals::clear);
        ready.clear();
        readyShares = 0;
    }

    /** Returns how many groups of a result are in the sink that has refused most of them. */
    private long leastWritten(WindowResult result) {
        return sinks.values().stream()
                .mapToLong(refusals -> refusals.accepted(result).size())
                .min()
                .orElseGet(result::size);
    }

    private boolean hasWork() {
        return !ready.isEmpty() || positions.mustCommit(ended);
    }

    private List<PartitionPosition> toCommit() {
        return positions.toCommit(readyShares(), ended);
    }

    private Set<Partition.Share> readyShares() {
        // Not toSet: a share may be null.
        Set<Partition.Share> shares = new HashSet<>();
        ready.forEach(each -> shares.add(each.share()));
        return shares;
    }

    /**
     * Writes all ready results to one sink. If the sink reports lost ownerships, their shares are dropped, and it gets the other
     * results. Sinks that have flushed before contain results of the lost shares too; the new owner writes them again. If the
     * sink refuses rows, these become dead letters, and it gets the other rows.
     */
    private boolean flush(ResultSink sink) throws SinkException, InterruptedException {
        SinkRefusals refusals = sinks.get(sink);
        while (true) {
            List<PartitionPosition> toCommit = toCommit();
            if (ready.isEmpty() && toCommit.isEmpty()) {
                return false;
            }
            SinkDelivery delivery = new SinkDelivery(sink, refusals.accepted(ready), toCommit);
            AtomicBoolean sourceKnows = new AtomicBoolean();
            try {
                retries.run(wait -> sourceKnows.set(delivery.attempt(wait)), "Writing to " + sink.where());
                refusals.flushed(ready);
                return sourceKnows.get();
            } catch (SinkException e) {
                handle(e, refusals);
            }
        }
    }

    /** Handles a failure after which the other results can be written; throws any other failure. */
    private void handle(SinkException failure, SinkRefusals refusals) throws SinkException, InterruptedException {
        if (!failure.refusedRows().isEmpty()) {
            refusals.leaveOut(ready, failure);
            flushRejected();
        } else if (failure.lostOwnerships().isEmpty()) {
            throw failure;
        } else if (ended) {
            throw SinkException.lasting(TOO_LATE, failure);
        } else {
            LOG.warn("{}; its new owner continues after the last commit", failure.getMessage());
            dropLost(failure.lostOwnerships());
        }
    }

    private void flushRejected() throws SinkException, InterruptedException {
        retries.run(wait -> rejected.flush(), "Writing dead letters and late rows");
    }

    /** Returns how many entries for partitions are in memory. */
    public int partitions() {
        return positions.partitions() + (merger == null ? 0 : merger.partitions());
    }

    @Override
    public void close() {
        sinks.keySet().forEach(ResultSink::close);
        sinks.clear();
    }
}
