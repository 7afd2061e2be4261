package io.updraft.bench.child;

import io.updraft.bench.spec.LatencyPercentiles;
import io.updraft.bench.spec.ProcessUsage;
import io.updraft.bench.spec.ProgressRow;
import io.updraft.bench.spec.RunCounts;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.topology.BenchQuery;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.RunFailed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;

/**
 * Executes one run: start, wait for the first message, warm up, measure, drain, check.
 *
 * <pre>
 *   prepare ──► submit ──WAITING──► first message ──WARMUP──► ──RUNNING, measured──► stop spouts ──DRAINING──► check
 * </pre>
 */
final class BenchRun implements Callable<RunResult> {

    private static final String NAME = "bench";
    private static final Duration START_LIMIT = Duration.ofSeconds(120);

    private final RunSpec spec;
    private final RunSite site;
    private final BenchTopology topology;
    private final ProgressClock pace;
    private long submitted;
    private long firstMillis;
    private long startMillis;

    BenchRun(RunSpec spec, RunSite site, Consumer<ProgressRow> rows) {
        this.spec = spec;
        this.site = site;
        this.topology = BenchTopology.named(spec.shape().topology());
        this.pace = new ProgressClock(this::row, spec.pollMillis(), rows);
    }

    @Override
    public RunResult call() throws Exception {
        try (site) {
            site.prepare();
            submit();
            return measured();
        } catch (RunFailed e) {
            List<String> problems = new ArrayList<>(List.of(e.getMessage()));
            problems.addAll(site.obituaries());
            return RunResult.failed(startMillis, problems);
        }
    }

    private void submit() throws Exception {
        StormTopology built = topology.build(spec.shape(), site.runId());
        submitted = System.nanoTime();
        site.submit(NAME, conf(), built);
    }

    private Map<String, Object> conf() {
        Map<String, Object> conf = new HashMap<>(topology.conf(spec.shape()));
        conf.putAll(spec.conf());
        return conf;
    }

    private RunResult measured() throws InterruptedException {
        startMillis = awaitFirstMessage();
        pace.pass("WARMUP", spec.warmupMillis());
        Measured measured = measure();
        RunDrain.Outcome end = new RunDrain(topology, spec.shape(), site, pace).drain();
        return new RunResult(
                end.problems(),
                startMillis,
                measured.nanos(),
                measured.counts(),
                counts(end.state()),
                measured.usage(),
                LatencyPercentiles.of(end.state().latencies()),
                end.problems().isEmpty() ? topology.figures(end.state()) : Map.of());
    }

    private long awaitFirstMessage() throws InterruptedException {
        if (!pace.await("WAITING", START_LIMIT, this::isUnderWay)) {
            String ended = String.join("; ", site.obituaries());
            throw new IllegalStateException("no message was completed within " + START_LIMIT.toSeconds() + " s"
                    + (ended.isEmpty() ? "" : ": " + ended));
        }
        return firstMillis;
    }

    private boolean isUnderWay() {
        BenchRunState state = site.ask(BenchQuery.COUNTS);
        RunCounts counts = counts(state);
        if (firstMillis == 0 && (counts.transferred() > 0 || counts.completed() > 0)) {
            firstMillis = Math.max(1, (System.nanoTime() - submitted) / 1_000_000);
        }
        return counts.completed() > 0 && site.isUp(state);
    }

    private Measured measure() throws InterruptedException {
        BenchRunState before = site.ask(BenchQuery.START_WINDOW);
        ProcessSample used = site.sample(before);
        RunCounts countsBefore = counts(before);
        long start = System.nanoTime();
        pace.pass("RUNNING", spec.testMillis());
        BenchRunState after = site.ask(BenchQuery.COUNTS);
        RunCounts counts = counts(after).since(countsBefore);
        long nanos = System.nanoTime() - start;
        ProcessUsage usage = site.sample(site.ask(BenchQuery.END_WINDOW)).since(used);
        return new Measured(nanos, counts, usage);
    }

    private ProgressClock.Row row() {
        BenchRunState state = site.ask(BenchQuery.COUNTS);
        return new ProgressClock.Row(counts(state), state.tasks());
    }

    private RunCounts counts(BenchRunState state) {
        return topology.counts(spec.shape(), state);
    }

    private record Measured(long nanos, RunCounts counts, ProcessUsage usage) {}
}
