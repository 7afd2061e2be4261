package io.updraft.bench.child;

import io.updraft.bench.topology.BenchQuery;
import io.updraft.bench.topology.BenchRunState;
import java.util.List;
import java.util.Map;
import org.apache.storm.ILocalCluster;
import org.apache.storm.generated.StormTopology;

/** Runs components in a cluster in this JVM, which ends after the run. */
class InProcessRunSite implements RunSite {

    private final String runId = "bench-" + System.nanoTime();
    private final BenchRunState state = BenchRunState.of(runId);
    private final ILocalCluster cluster;

    InProcessRunSite(ILocalCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public final String runId() {
        return runId;
    }

    @Override
    public void submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception {
        cluster.submitTopology(name, conf, topology);
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
