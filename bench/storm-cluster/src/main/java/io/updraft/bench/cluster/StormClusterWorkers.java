package io.updraft.bench.cluster;

import io.updraft.bench.topology.RunState;
import io.updraft.bench.workers.RunningTopology;
import io.updraft.bench.workers.WorkersRuntime;
import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterException;
import java.time.Duration;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;

/**
 * Stock Storm's workers, started by a stock Supervisor. The cluster starts with the first topology, which takes about ten
 * seconds, and lives until this is closed. If this JVM dies first, however it does, nothing of the cluster is left.
 *
 * <p>All workers belong to one Supervisor: more of them would only take more of the machine from what is measured.
 */
public final class StormClusterWorkers implements WorkersRuntime {

    private static final Duration START = Duration.ofMinutes(2);

    private StormCluster cluster;
    private int slots;

    /** Starts nothing yet. */
    public StormClusterWorkers() {}

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the cluster does not start or does not run the topology: one line, which names a file
     *     with the logs of all its processes
     */
    @Override
    public RunningTopology submit(String name, Map<String, Object> conf, StormTopology topology) {
        int workers = ((Number) conf.getOrDefault(Config.TOPOLOGY_WORKERS, 1)).intValue();
        try {
            provide(workers);
            return run(name, TopologyConf.of(conf), topology, workers);
        } catch (StormClusterException e) {
            throw FailureReport.of(e);
        }
    }

    private void provide(int workers) {
        if (cluster != null && slots < workers) {
            close();
        }
        if (cluster == null) {
            cluster = start(workers);
            slots = workers;
        }
    }

    private static StormCluster start(int workers) {
        StormCluster.Builder builder = StormCluster.builder()
                .supervisors(1)
                .slots(workers)
                // The components, and what they count with.
                .plugin(Jars.of(RunState.class))
                .plugin(Jars.of(Histogram.class));
        ClusterConf.all().forEach(builder::config);
        return builder.start();
    }

    private RunningTopology run(String name, Map<String, Object> conf, StormTopology topology, int workers) {
        StormCluster on = cluster;
        StormTopologyProcesses running = new StormTopologyProcesses(on, name, on.submit(name, conf, topology));
        try {
            on.await("Storm to start " + workers + " workers", START, () -> {
                on.check();
                return running.workers().size() == workers;
            });
            return running;
        } catch (StormClusterException e) {
            running.close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
