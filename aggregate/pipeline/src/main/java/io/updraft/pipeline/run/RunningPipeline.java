package io.updraft.pipeline.run;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.run.Engine;
import io.updraft.engine.snapshot.Move;
import io.updraft.kafka.reader.NativeLibraries;
import io.updraft.kafka.router.Router;
import io.updraft.observe.pipeline.ObservedPipeline;
import io.updraft.observe.pipeline.PartitionLag;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.observe.pipeline.WindowMemory;
import io.updraft.pipeline.connector.RecordSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.storm.Config;

/** A pipeline that runs on an engine inside this process. All methods may be called from any thread. */
public final class RunningPipeline implements ObservedPipeline, AutoCloseable {

    /** How long the end of a run may take before results in flight are given up. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    /** How long the end of a run may wait for tuples that the engine has in flight. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);

    private static final String NAME = "pipeline";

    private static final Map<String, Object> CONF = Map.of(
            // Tasks track positions themselves.
            Config.TOPOLOGY_ACKER_EXECUTORS,
            0,
            // A run ends with its first exception, before the engine sees it. The engine must not restart a task.
            EngineSettings.ON_ERROR,
            "die",
            // Chunks are few and large.
            EngineSettings.IDLE,
            "saving");

    private final PipelineRunState state;
    private final Engine engine;
    private final Runnable afterwards;
    private final Thread watch;
    private boolean closed;

    private RunningPipeline(PipelineRunState state, Engine engine, Runnable afterwards) {
        this.state = state;
        this.engine = engine;
        this.afterwards = afterwards;
        watch = DaemonThreads.create(
                "updraft-pipeline-watch", () -> state.stop.watch(why -> state.fail(new IllegalStateException(why))));
        watch.start();
    }

    /**
     * Starts a run. {@code afterwards} runs after the run was closed. The threads that use sources and sinks open them; if one
     * does not open, the run {@link #failure fails}. If the engine does not start, {@code afterwards} runs too.
     */
    static RunningPipeline start(RunPlan plan, Runnable afterwards) {
        PipelineRunState state = new PipelineRunState(plan, System::currentTimeMillis);
        try {
            Engine engine = Engine.start(PipelineTopology.of(plan), CONF, options(state));
            engine.activate();
            return new RunningPipeline(state, engine, afterwards);
        } catch (RuntimeException e) {
            afterwards.run();
            throw new IllegalStateException(
                    "the pipeline " + plan.settings().name() + " cannot start: " + e.getMessage(), e);
        }
    }

    private static EngineOptions options(PipelineRunState state) {
        return new EngineOptions(
                NAME, NAME, new RunContexts(state), EngineClock.SYSTEM, System.nanoTime(), error -> {}, death -> {});
    }

    @Override
    public PipelineProgress progress() {
        List<TaskCounters.Counts> counts =
                state.tasks.stream().map(TaskCounters::published).toList();
        WriteCounters written = state.written;
        UniqueRows unique = state.plan instanceof RunPlan.Aggregation plan ? plan.unique() : null;
        return new PipelineProgress(
                sum(counts, TaskCounters.Counts::records),
                sum(counts, TaskCounters.Counts::rows),
                sum(counts, TaskCounters.Counts::rejected),
                sum(counts, TaskCounters.Counts::late),
                sum(counts, TaskCounters.Counts::duplicates),
                unique == null ? 0 : unique.forgottenEarly(),
                written.windows(),
                written.groups(),
                sum(counts, TaskCounters.Counts::groups),
                sum(counts, TaskCounters.Counts::windows),
                sum(counts, TaskCounters.Counts::stateBytes),
                sum(counts, TaskCounters.Counts::again),
                sum(counts, TaskCounters.Counts::bytes),
                written.retries(),
                written.overflows(),
                sum(counts, TaskCounters.Counts::alarms),
                state.plan instanceof RunPlan.Routing routing
                        ? routed(routing.router().counts())
                        : null,
                List.of(state.source.get()));
    }

    private static long sum(List<TaskCounters.Counts> counts, ToLongFunction<TaskCounters.Counts> count) {
        return counts.stream().mapToLong(count).sum();
    }

    private static PipelineProgress.Route routed(Router.Counts counts) {
        return new PipelineProgress.Route(counts.delivered(), counts.rerouted(), counts.failed(), counts.waiting());
    }

    @Override
    public List<String> troubles() {
        String source = state.source.get().trouble();
        return Stream.concat(Stream.ofNullable(source), state.stop.troubles().stream())
                .toList();
    }

    @Override
    public PartitionLag.Ranking lags() {
        return state.lags.get();
    }

    @Override
    public List<RejectedSample> rejected() {
        return onLines(state.plan.settings().rejected().newest(), state.opened.get());
    }

    /**
     * Adds to samples the lines that their records begin in. Lines are counted when an operator looks, never by a task. Far into
     * a large file only the byte is known, until later looks have counted so far. The source is null before it is open.
     */
    private static List<RejectedSample> onLines(List<RejectedSample> samples, RecordSource source) {
        if (source == null) {
            return samples;
        }
        Map<RejectedSample, Long> lines = new HashMap<>();
        // From the first position on: each count continues from the one before.
        samples.stream()
                .filter(sample -> sample.position() >= 0)
                .sorted(Comparator.comparingLong(RejectedSample::position))
                .forEach(sample -> source.lineAt(sample.partition(), sample.position())
                        .ifPresent(line -> lines.put(sample, line)));
        return samples.stream()
                .map(sample -> sample.onLine(lines.getOrDefault(sample, 0L)))
                .toList();
    }

    @Override
    public PipelineWatermark watermark() {
        return state.watermark.get();
    }

    @Override
    public WindowMemory memory() {
        return state.plan instanceof RunPlan.Aggregation plan
                ? new WindowMemory(plan.limits().maxBytes(), plan.limits().maxGroups(), state.budget.spilledBytes())
                : null;
    }

    @Override
    public List<Move> moves() {
        return state.moves.recent();
    }

    /**
     * Requests an orderly end and returns at once. The pipeline stops reading sources, writes complete results and commits what
     * was written. Windows that are not complete are not emitted. {@link #awaitEnd} reports when the pipeline has ended.
     * Idempotent.
     */
    public void stop() {
        state.stop.request();
    }

    /**
     * Waits until the pipeline has ended. It ends when its sources have an end and the last results are written, or when it
     * fails.
     *
     * @param limit the longest time to wait
     * @return whether the pipeline has ended
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        return state.over.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public String failure() {
        Throwable failure = state.failure();
        if (failure == null) {
            return null;
        }
        if (failure instanceof OutOfMemoryError) {
            return outOfMemory(failure.getMessage(), state.plan);
        }
        if (failure instanceof LinkageError linkage) {
            return NativeLibraries.reason(linkage);
        }
        return failure instanceof Error || failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    /** Returns the line for a run that is out of memory. It advises nothing that the description has. */
    static String outOfMemory(String reason, RunPlan plan) {
        String advice = !(plan instanceof RunPlan.Aggregation aggregation)
                ? "reduce 'queue'"
                : aggregation.limits().spill() == null
                        ? "reduce the groups or open windows ('aggregate: limits' can spill them to disk)"
                        : "lower 'memory' in 'aggregate: limits', so that groups spill to disk earlier";
        return "out of memory (" + reason + "): " + advice + ", or give more heap (UPDRAFT_JAVA_OPTS=-Xmx...)";
    }

    /** Returns one of the first records that gave no row and the reason, in one line; null if every record gave a row. */
    public String firstRejected() {
        return state.tasks.stream()
                .map(TaskCounters::firstRejected)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Stops the pipeline if it still runs, and releases its resources. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop();
        awaitWritten();
        engine.deactivate();
        drain();
        engine.close();
        watch.interrupt();
        afterwards.run();
    }

    private void drain() {
        try {
            engine.awaitIdle(DRAIN_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits while the components write the results in flight and pass the commits to the sources. */
    private void awaitWritten() {
        long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
        try {
            boolean over = state.over.await(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            while (over && state.failure() == null && !state.areCommitsTaken() && System.nanoTime() < deadline) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
