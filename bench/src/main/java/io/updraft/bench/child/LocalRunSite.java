package io.updraft.bench.child;

import io.updraft.bench.topology.state.BenchQuery;
import io.updraft.bench.topology.state.BenchRunState;
import java.util.List;
import java.util.Map;
import org.apache.storm.ILocalCluster;
import org.apache.storm.generated.StormTopology;

/** Runs components in this JVM, in a cluster that lives for one run. */
final class LocalRunSite implements RunSite {

    private final ILocalCluster cluster;
    private final String runId = "bench-" + System.nanoTime();
    private final BenchRunState state = BenchRunState.of(runId);

    LocalRunSite(ILocalCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public String runId() {
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
    public boolean isUp(BenchRunState now) {
        return true;
    }

    @Override
    public ProcessSample sample(BenchRunState now) {
        return ProcessSample.ofThisProcess();
    }

    @Override
    public List<String> obituaries() {
        return List.of();
    }

    /** Does nothing. The JVM ends after the result, and closing Storm's LocalCluster takes longer than a run. */
    @Override
    public void close() {}
}
