package io.updraft.bench.child;

import io.updraft.bench.spec.Counts;
import io.updraft.bench.spec.Latency;
import io.updraft.bench.spec.Progress;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Usage;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.RunState;
import io.updraft.bench.topology.Topologies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.storm.ILocalCluster;

/**
 * One run: start, wait for the first message, warm up, measure, drain, check.
 *
 * <pre>
 *   submit ──WAITING──► first message ──WARMUP──► ──RUNNING, measured──► be quiet ──DRAINING──► check
 * </pre>
 */
final class Run implements Callable<RunResult> {

    private static final String NAME = "bench";
    private static final Duration START_LIMIT = Duration.ofSeconds(120);

    private final String runId = NAME + "-" + System.nanoTime();
    private final RunSpec spec;
    private final BenchTopology topology;
    private final RunState state;
    private final Pace pace;
    private final long submitted = System.nanoTime();

    Run(RunSpec spec, Consumer<Progress> rows) {
        this.spec = spec;
        this.topology = Topologies.named(spec.shape().topology());
        this.state = RunState.of(runId);
        this.pace = new Pace(this::counts, state::tasks, spec.pollMillis(), rows);
    }

    @Override
    public RunResult call() throws Exception {
        // Not closed here: the JVM ends after the result, and closing Storm's LocalCluster takes longer than a run.
        ILocalCluster cluster = newCluster();
        cluster.submitTopology(NAME, spec.conf(), topology.build(spec.shape(), runId));
        long startMillis = awaitFirstMessage();
        pace.pass("WARMUP", spec.warmupMillis());
        Measured measured = measure();
        List<String> problems = new Drain(topology, spec.shape(), state, pace).problems();
        Latency latency = Latency.of(state.latencies());
        return new RunResult(
                problems, startMillis, measured.nanos(), measured.counts(), counts(), measured.usage(), latency);
    }

    private ILocalCluster newCluster() throws ReflectiveOperationException {
        return Class.forName(spec.clusterClass())
                .asSubclass(ILocalCluster.class)
                .getConstructor()
                .newInstance();
    }

    private long awaitFirstMessage() throws InterruptedException {
        boolean started = pace.await("WAITING", START_LIMIT, () -> counts().completed() > 0);
        if (!started) {
            throw new IllegalStateException("no message was completed within " + START_LIMIT.toSeconds() + " s");
        }
        return (System.nanoTime() - submitted) / 1_000_000;
    }

    private Measured measure() throws InterruptedException {
        ProcessSample before = ProcessSample.take();
        state.startWindow();
        Counts countsBefore = counts();
        long from = System.nanoTime();
        pace.pass("RUNNING", spec.testMillis());
        Counts counts = counts().since(countsBefore);
        long nanos = System.nanoTime() - from;
        state.endWindow();
        return new Measured(nanos, counts, ProcessSample.take().since(before));
    }

    private Counts counts() {
        return topology.counts(spec.shape(), state);
    }

    private record Measured(long nanos, Counts counts, Usage usage) {}
}
