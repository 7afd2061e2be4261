package io.updraft.observe.metrics;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.TopologySample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The figures and the health of the topologies of a run, from their latest samples. */
public final class RunMetrics implements MetricsSource {
    static final double NANOS_PER_SECOND = 1e9;

    private static final Duration SAMPLER_LIMIT = Duration.ofSeconds(30);
    private static final String RUNNING = "running";

    private final Supplier<List<TopologySample>> samples;
    private final Supplier<Duration> sinceSample;
    private final boolean server;

    /**
     * Creates the source.
     *
     * @param samples gives the latest sample of each topology
     * @param sinceSample gives the time since all topologies were sampled; does not wait
     * @param server whether the run waits for topologies, so that it is ready without one
     */
    public RunMetrics(Supplier<List<TopologySample>> samples, Supplier<Duration> sinceSample, boolean server) {
        this.samples = samples;
        this.sinceSample = sinceSample;
        this.server = server;
    }

    @Override
    public void write(MetricsText text) {
        TopologyFigures.write(samples.get(), text);
    }

    @Override
    public HealthReport live() {
        Duration since = sinceSample.get();
        List<String> reasons = since.compareTo(SAMPLER_LIMIT) < 0
                ? List.of()
                : List.of("the topologies were not sampled for " + since.toSeconds() + " s");
        return HealthReport.of("alive", reasons, List.of());
    }

    @Override
    public HealthReport ready() {
        List<TopologySample> all = samples.get();
        List<String> reasons = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        if (all.isEmpty() && !server) {
            reasons.add("no topology runs");
        }
        for (TopologySample sample : all) {
            String name = "topology '" + sample.name() + "'";
            if (!sample.state().equals(RUNNING)) {
                reasons.add(name + " is " + sample.state());
            }
            for (WorkerStatus worker : sample.workers()) {
                if (worker.state() != WorkerStatus.State.RUNNING) {
                    reasons.add(name + ": worker " + worker.worker() + " is "
                            + worker.state().word());
                }
            }
            for (CallInProgress call : sample.now().calls()) {
                notes.add("note: " + name + ": " + call.describe());
            }
        }
        return HealthReport.of("ready", reasons, notes);
    }
}
