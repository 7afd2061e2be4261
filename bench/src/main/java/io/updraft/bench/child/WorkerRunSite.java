package io.updraft.bench.child;

import io.updraft.bench.topology.BenchQuery;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.WorkerReports;
import io.updraft.bench.workers.WorkersRuntime;
import io.updraft.bench.workers.WorkersTopology;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/** Runs components in worker processes, which report their counts over sockets. */
final class WorkerRunSite implements RunSite {

    private static final Duration OBITUARY_LIMIT = Duration.ofSeconds(3);
    private static final long LOOK_MILLIS = 10;

    private final WorkersRuntime runtime;
    private final WorkerReports reports = WorkerReports.open();
    private final int workers;
    private WorkersTopology running;
    private int tasks;

    WorkerRunSite(WorkersRuntime runtime, int workers) throws IOException {
        this.runtime = runtime;
        this.workers = workers;
    }

    @Override
    public String runId() {
        return reports.runId();
    }

    @Override
    public void prepare() throws Exception {
        runtime.prepare(workers);
    }

    @Override
    public void submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception {
        tasks = BenchTopology.executors(topology);
        running = runtime.submit(name, conf, topology);
    }

    @Override
    public BenchRunState ask(BenchQuery question) {
        return reports.ask(question);
    }

    /** Whether all tasks have registered and all workers are alive. */
    @Override
    public boolean isUp(BenchRunState state) {
        return state.tasks() >= tasks && running.workers().size() >= workers;
    }

    @Override
    public ProcessSample sample(BenchRunState state) {
        return ProcessSample.of(running.workers(), state.gcMillis());
    }

    /** Waits up to 3 s for a description, because a worker's connection breaks before the reason of its end is known. */
    @Override
    public List<String> obituaries() {
        long deadline = System.nanoTime() + OBITUARY_LIMIT.toNanos();
        try {
            while (running.obituaries().isEmpty() && System.nanoTime() - deadline < 0) {
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return running.obituaries();
    }

    @Override
    public void close() {
        try (reports) {
            if (running != null) {
                running.close();
            }
        }
    }
}
