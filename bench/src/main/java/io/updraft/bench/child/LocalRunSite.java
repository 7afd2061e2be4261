package io.updraft.bench.child;

import java.util.Map;
import org.apache.storm.ILocalCluster;
import org.apache.storm.generated.StormTopology;

/** Runs a topology in a cluster in this JVM. */
final class LocalRunSite extends InProcessRunSite {

    private final ILocalCluster cluster;

    LocalRunSite(ILocalCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public void submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception {
        cluster.submitTopology(name, conf, topology);
    }
}
