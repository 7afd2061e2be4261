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
 * The state that the components of a run share. Submitting a topology copies its components, as in Storm, so they carry only
 * the name of the run and look up this state by it. Any thread may call the methods.
 */
final class RunState {

    private static final Logger LOG = LoggerFactory.getLogger(RunState.class);
    private static final Map<String, RunState> RUNS = new ConcurrentHashMap<>();

    /** The limit of record bytes on their way to tasks; at this limit, sources are not read. */
    private static final long MOST_BYTES = 16L << 20;

    /** The limit of dead letter and late row bytes that wait to be written; at this limit, sources are not read. */
    private static final long MOST_ASIDE = 16L << 20;

    /** The limit of result bytes that wait to be written; at this limit, sources are not read. */
    private static final long MOST_RESULTS =
            Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 8);

    /** A chunk that was written separately. */
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

    /** Passes commits to the sources: to each source those of its units, at once. */
    void commit(Map<Unit, Commit> done) {
        for (int source = 0; source < commits.size(); source++) {
            int its = source;
            Map<Unit, Commit> of = new LinkedHashMap<>(done);
            of.keySet().removeIf(unit -> unit.source() != its);
            commits(source).add(of);
        }
    }

    /** Returns the queue of commits from the write task to the task that reads a source. */
    Queue<Map<Unit, Commit>> commits(int source) {
        return commits.get(source);
    }

    /** Returns the queue of separately written chunks for the task that reads a source. */
    Queue<Written> written(int source) {
        return writtenChunks.get(source);
    }

    /**
     * Returns the positions that sinks have stored with results; null if no sink stores any. Sources are opened once this is
     * complete.
     */
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

    /** Returns the budget of all aggregators together; null if there are none. */
    Budget budget() {
        return budget;
    }

    /** Returns the bytes of records that were read but not decoded yet. */
    AtomicLong bytesInFlight() {
        return bytesInFlight;
    }

    /** Returns the bytes of results that the write task has not taken yet. */
    AtomicLong resultBytes() {
        return resultBytes;
    }

    /** Returns whether sources may be read: fewer bytes wait for tasks, sinks and dead letter files than the limits allow. */
    boolean hasRoom() {
        return bytesInFlight.get() < MOST_BYTES
                && resultBytes.get() < MOST_RESULTS
                && plan.aside().waiting() < MOST_ASIDE;
    }

    /** Ends the run with a failure. Only the first failure counts. */
    void fail(Throwable why) {
        boolean first = failure.compareAndSet(null, why);
        // Done before anything that could fail itself: the heap may be full.
        stop.request();
        over.countDown();
        if (first) {
            LOG.error("the pipeline {} has failed: {}", plan.name(), why.getMessage(), why);
        }
    }

    Throwable failure() {
        return failure.get();
    }

    /** Records that a route task has written everything; the last one completes the run. */
    void taskEnded() {
        if (endedTasks.incrementAndGet() == plan.parallelism()) {
            complete();
        }
    }

    /** Completes the run: everything has been written. */
    void complete() {
        over.countDown();
    }

    /** Returns the latch that is released when the run has ended, with or without a failure. */
    CountDownLatch over() {
        return over;
    }

    /** Returns whether all committed positions were passed to the sources. */
    boolean areCommitsTold() {
        return commits.stream().allMatch(Queue::isEmpty)
                && writtenChunks.stream().allMatch(Queue::isEmpty);
    }

    /** Returns the stop of the run, which is requested to end reading. */
    Stop stop() {
        return stop;
    }
}
