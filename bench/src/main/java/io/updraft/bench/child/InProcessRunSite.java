package io.updraft.bench.child;

import io.updraft.bench.topology.state.BenchQuery;
import io.updraft.bench.topology.state.BenchRunState;
import java.util.List;

/** Runs components in this JVM, which ends after the run. */
abstract class InProcessRunSite implements RunSite {

    private final String runId = "bench-" + System.nanoTime();
    private final BenchRunState state = BenchRunState.of(runId);

    @Override
    public final String runId() {
        return runId;
    }

    @Override
    public BenchRunState ask(BenchQuery question) {
        state.execute(question);
        return state;
    }

    @Override
    public final boolean isUp(BenchRunState now) {
        return true;
    }

    @Override
    public final ProcessSample sample(BenchRunState now) {
        return ProcessSample.ofThisProcess();
    }

    @Override
    public final List<String> obituaries() {
        return List.of();
    }

    /** Does nothing. The JVM ends after the result, and closing Storm's LocalCluster takes longer than a run. */
    @Override
    public final void close() {}
}
