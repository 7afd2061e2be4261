package io.updraft.pipeline.run;

import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.observe.pipeline.PartitionLag;
import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.GroupBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state that the components of a run share. Any thread may call the methods. */
final class PipelineRunState implements RouteTask.ProgressListener {

    private static final Logger LOG = LoggerFactory.getLogger(PipelineRunState.class);

    /** The limit of record bytes on their way to tasks; at this limit, sources are not read. */
    private static final long MAX_RECORD_BYTES = 16L << 20;

    /** The limit of dead letter and late row bytes that wait to be written; at this limit, sources are not read. */
    private static final long MAX_REJECTED_BYTES = 16L << 20;

    /** The limit of result bytes that wait to be written; at this limit, sources are not read. */
    private static final long MAX_RESULT_BYTES =
            Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 8);

    private static final int KEPT_MOVES = 1_000;

    /** What to report to the source about a separately written chunk of a partition. */
    record ChunkReport(Partition partition, Consumer<RecordSource> report) {}

    final RunPlan plan;
    final LongSupplier clock;
    /** The queue of commits to the task that reads the source. */
    final Queue<Map<Partition, PartitionPosition>> commits = new ConcurrentLinkedQueue<>();
    /** The queue of reports about separately written chunks for the task that reads the source. */
    final Queue<ChunkReport> chunkReports = new ConcurrentLinkedQueue<>();

    private final AtomicInteger endedTasks = new AtomicInteger();
    final List<TaskCounters> tasks;
    /** The last progress of the source, which the task that reads it sets. */
    final AtomicReference<SourceProgress> source = new AtomicReference<>(new SourceProgress(0, -1, -1, "records"));

    /** The source once it is open, for the methods that any thread may call. */
    final AtomicReference<RecordSource> opened = new AtomicReference<>();

    /** The moves of partitions, which the task that reads the source adds. */
    final MoveLog moves = new MoveLog(KEPT_MOVES);

    /** The lagging partitions of the source, which the task that reads it sets about once a second. */
    final AtomicReference<PartitionLag.Ranking> lags = new AtomicReference<>(PartitionLag.Ranking.NONE);

    /** How far the time of the data has come, which the task that reads the source sets about once a second. */
    final AtomicReference<PipelineWatermark> watermark = new AtomicReference<>(PipelineWatermark.NONE);

    final WriteCounters written = new WriteCounters();
    /** The budget of all aggregators together; null if there are none. */
    final GroupBudget budget;
    /** The bytes of records that were read but not decoded yet. */
    final AtomicLong bytesInFlight = new AtomicLong();
    /** The bytes of results that the write task has not taken yet. */
    final AtomicLong resultBytes = new AtomicLong();

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /** The positions that sinks have stored, or null. The source is opened once this is complete. */
    final CompletableFuture<Map<String, PartitionPosition>> storedPositions = new CompletableFuture<>();
    /** The latch that is released when the run has ended, with or without a failure. */
    final CountDownLatch over = new CountDownLatch(1);
    /** The stop of the run, which is requested to end reading. */
    final StopRequest stop = new StopRequest();

    PipelineRunState(RunPlan plan, LongSupplier clock) {
        this.plan = plan;
        this.clock = clock;
        tasks = Stream.generate(TaskCounters::new)
                .limit(plan.settings().parallelism())
                .toList();
        budget = plan instanceof RunPlan.Aggregation aggregation ? new GroupBudget(aggregation.limits()) : null;
    }

    /** Passes commits of partitions to the source, at once. */
    @Override
    public void commit(Map<Partition, PartitionPosition> done) {
        commits.add(done);
    }

    @Override
    public void written(Partition partition, long from) {
        chunkReports.add(new ChunkReport(partition, source -> source.written(partition.name(), from)));
    }

    @Override
    public void refused(Partition partition, long from, long position, String reason) {
        chunkReports.add(
                new ChunkReport(partition, source -> source.refused(partition.name(), from, position, reason)));
    }

    /** Ranks the partitions of the source by their lag, and by their time. */
    void rank(Map<String, Long> records, Map<String, Long> times) {
        Map<String, Long> held = new HashMap<>();
        tasks.forEach(task -> task.held().forEach((partition, end) -> held.merge(partition, end, Math::min)));
        lags.set(LagRanking.of(records, times, held));
        if (plan instanceof RunPlan.Aggregation aggregation
                && aggregation.time().origin() != TimeSpec.Origin.NONE) {
            List<TaskWatermark> ofTasks =
                    tasks.stream().map(TaskCounters::watermark).toList();
            watermark.updateAndGet(before -> WatermarkSummary.of(
                    before.latest(), times, ofTasks, aggregation.query().window()));
        }
    }

    /** Returns whether sources may be read: fewer bytes wait for tasks, sinks and dead letter files than the limits allow. */
    boolean hasCapacity() {
        return bytesInFlight.get() < MAX_RECORD_BYTES
                && resultBytes.get() < MAX_RESULT_BYTES
                && plan.settings().rejected().waiting() < MAX_REJECTED_BYTES;
    }

    /** Ends the run with a failure. Only the first failure counts. */
    void fail(Throwable why) {
        boolean first = failure.compareAndSet(null, why);
        MemoryWatch.threadFailed(Thread.currentThread(), why);
        // Done before anything that could fail itself: the heap may be full.
        stop.request();
        over.countDown();
        if (first) {
            LOG.error("the pipeline {} has failed: {}", plan.settings().name(), why.getMessage(), why);
        }
    }

    Throwable failure() {
        return failure.get();
    }

    /** Records that a route task has written everything; the last one completes the run. */
    void taskEnded() {
        if (endedTasks.incrementAndGet() == plan.settings().parallelism()) {
            complete();
        }
    }

    /** Completes the run: everything has been written. */
    void complete() {
        over.countDown();
    }

    /** Returns whether all committed positions were passed to the source. */
    boolean areCommitsTaken() {
        return commits.isEmpty() && chunkReports.isEmpty();
    }
}
