package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.Budget;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the components of one run share. They are copied when the topology is submitted, as Storm does, so that they only carry the
 * run's name and find this by it. All methods may be called from any thread.
 */
final class RunState {

    private static final Logger LOG = LoggerFactory.getLogger(RunState.class);
    private static final Map<String, RunState> RUNS = new ConcurrentHashMap<>();

    /** Bytes of records on their way to tasks, from which on nothing more is read. */
    private static final long MOST_BYTES = 16L << 20;

    /** Bytes of records that wait to be put aside, from which on nothing more is read. */
    private static final long MOST_ASIDE = 16L << 20;

    /** Bytes of results that wait to be written, from which on nothing more is read. */
    private static final long MOST_RESULTS =
            Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 8);

    /** A chunk that was written on its own. */
    record Written(Unit unit, long from) {}

    private final String id = UUID.randomUUID().toString();
    private final RunPlan plan;
    private final LongSupplier clock;
    private final List<Queue<Map<Unit, Commit>>> commits;
    private final List<Queue<Written>> writtenChunks;
    private final AtomicInteger endedTasks = new AtomicInteger();
    private final List<TaskCounters> tasks;
    private final List<SourceCounters> sources;
    private final WriteCounters written = new WriteCounters();
    private final Budget budget;
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final AtomicLong resultBytes = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CompletableFuture<Map<String, Commit>> kept = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Stop stop = new Stop();

    RunState(RunPlan plan, LongSupplier clock) {
        this.plan = plan;
        this.clock = clock;
        commits = times(plan.sources().size(), ConcurrentLinkedQueue::new);
        writtenChunks = times(plan.sources().size(), ConcurrentLinkedQueue::new);
        tasks = times(plan.parallelism(), TaskCounters::new);
        sources = times(plan.sources().size(), SourceCounters::new);
        budget = plan.limits() == null ? null : new Budget(plan.limits());
        RUNS.put(id, this);
    }

    private static <T> List<T> times(int count, java.util.function.Supplier<T> of) {
        return IntStream.range(0, count).mapToObj(i -> of.get()).toList();
    }

    static RunState of(String id) {
        return RUNS.get(id);
    }

    void forget() {
        RUNS.remove(id);
    }

    String id() {
        return id;
    }

    RunPlan plan() {
        return plan;
    }

    LongSupplier clock() {
        return clock;
    }

    /** Tells each source which positions it is to remember: those of its units at once. */
    void commit(Map<Unit, Commit> done) {
        for (int source = 0; source < commits.size(); source++) {
            int its = source;
            Map<Unit, Commit> of = new LinkedHashMap<>(done);
            of.keySet().removeIf(unit -> unit.source() != its);
            commits(source).add(of);
        }
    }

    /** From the task that writes to the one that reads a source. */
    Queue<Map<Unit, Commit>> commits(int source) {
        return commits.get(source);
    }

    /** Chunks that were written on their own, for the task that reads the source. */
    Queue<Written> written(int source) {
        return writtenChunks.get(source);
    }

    /** The positions that sinks have kept with results; null if none is to keep any. Sources are opened when this is done. */
    CompletableFuture<Map<String, Commit>> kept() {
        return kept;
    }

    List<TaskCounters> tasks() {
        return tasks;
    }

    List<SourceCounters> sources() {
        return sources;
    }

    WriteCounters written() {
        return written;
    }

    /** What all aggregators may hold together; null if there are none. */
    Budget budget() {
        return budget;
    }

    /** Bytes of records that were read and are not decoded yet. */
    AtomicLong bytesInFlight() {
        return bytesInFlight;
    }

    /** Bytes of results that the task that writes has not taken yet. */
    AtomicLong resultBytes() {
        return resultBytes;
    }

    /** Whether more may be read: what was read before does not wait for tasks, or for whoever writes, in too large a number of bytes. */
    boolean hasRoom() {
        return bytesInFlight.get() < MOST_BYTES
                && resultBytes.get() < MOST_RESULTS
                && plan.aside().waiting() < MOST_ASIDE;
    }

    /** Ends the run: it cannot go on. Only the first reason counts. */
    void fail(Throwable why) {
        boolean first = failure.compareAndSet(null, why);
        // Before anything that could fail itself: there may be no memory left.
        stop.request();
        over.countDown();
        if (first) {
            LOG.error("the pipeline {} ends: {}", plan.name(), why.getMessage(), why);
        }
    }

    Throwable failure() {
        return failure.get();
    }

    /** A task that writes on its own has written all; when that was the last one, all is. */
    void taskEnded() {
        if (endedTasks.incrementAndGet() == plan.parallelism()) {
            complete();
        }
    }

    /** All has been written. */
    void complete() {
        over.countDown();
    }

    /** Comes down when the run has ended, well or not. */
    CountDownLatch over() {
        return over;
    }

    /** Whether the sources have been told of all positions that were committed. */
    boolean areCommitsTold() {
        return commits.stream().allMatch(Queue::isEmpty)
                && writtenChunks.stream().allMatch(Queue::isEmpty);
    }

    /** Requested when no more is to be read. */
    Stop stop() {
        return stop;
    }
}
