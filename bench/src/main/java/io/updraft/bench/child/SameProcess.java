package io.updraft.bench.child;

import io.updraft.bench.topology.Question;
import io.updraft.bench.topology.RunState;
import java.util.List;
import java.util.Map;
import org.apache.storm.ILocalCluster;
import org.apache.storm.generated.StormTopology;

/** Runs components in this JVM, in a cluster that lives for one run. */
final class SameProcess implements Site {

    private final ILocalCluster cluster;
    private final String runId = "bench-" + System.nanoTime();
    private final RunState state = RunState.of(runId);

    SameProcess(ILocalCluster cluster) {
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
    public RunState ask(Question question) {
        state.obey(question);
        return state;
    }

    @Override
    public boolean isUp(RunState now) {
        return true;
    }

    @Override
    public ProcessSample sample(RunState now) {
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
