package io.updraft.bench.cluster;

import io.updraft.bench.topology.RunState;
import io.updraft.bench.workers.RunningTopology;
import io.updraft.bench.workers.WorkersRuntime;
import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterException;
import java.nio.file.Path;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;

/**
 * Workers that a stock Supervisor launches: Storm's own or, where the cluster has Updraft's archive, Updraft's for each topology
 * that asks for them. The cluster starts before the first topology, which takes about ten seconds, and lives until this is
 * closed. If this JVM dies first, however it does, nothing of the cluster is left.
 *
 * <p>All workers belong to one Supervisor: more of them would only take more of the machine from what is measured.
 */
public final class StormClusterWorkers implements WorkersRuntime {

    private final Path archive;
    private volatile StormCluster cluster;
    private int slots;
    private boolean closed;

    /** Starts nothing yet. The cluster will have the archive that {@link WorkersRuntime#ARCHIVE} names, if it names one. */
    public StormClusterWorkers() {
        this(System.getProperty(ARCHIVE) == null ? null : Path.of(System.getProperty(ARCHIVE)));
    }

    /** Starts nothing yet; without an archive, the cluster has stock workers only. */
    StormClusterWorkers(Path archive) {
        this.archive = archive;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the cluster does not start: one line; its cause tells what all processes have logged
     */
    @Override
    public void prepare(int workers) {
        try {
            provide(workers);
        } catch (StormClusterException e) {
            throw new IllegalStateException(e.summary(), e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the cluster does not start or does not run the topology: one line; its cause tells
     *     what all processes have logged
     */
    @Override
    public RunningTopology submit(String name, Map<String, Object> conf, StormTopology topology) {
        int workers = ((Number) conf.getOrDefault(Config.TOPOLOGY_WORKERS, 1)).intValue();
        prepare(workers);
        try {
            return run(name, TopologyConf.of(conf), topology, workers);
        } catch (StormClusterException e) {
            throw new IllegalStateException(e.summary(), e);
        }
    }

    private void provide(int workers) {
        if (cluster != null && slots < workers) {
            cluster.close();
            cluster = null;
        }
        if (cluster == null) {
            StormCluster started = start(workers);
            keep(started, workers);
        }
    }

    /** Somebody may have closed this while the cluster was starting. */
    private synchronized void keep(StormCluster started, int workers) {
        if (closed) {
            started.close();
            throw new IllegalStateException("closed while the Storm cluster was starting");
        }
        cluster = started;
        slots = workers;
    }

    private StormCluster start(int workers) {
        StormCluster.Builder builder = StormCluster.builder()
                .supervisors(1)
                .slots(workers)
                // The components, and what they count with.
                .plugin(Jars.of(RunState.class))
                .plugin(Jars.of(Histogram.class));
        ClusterConf.all().forEach(builder::config);
        if (archive != null) {
            builder.updraft(archive);
        }
        return builder.start();
    }

    private RunningTopology run(String name, Map<String, Object> conf, StormTopology topology, int workers) {
        boolean stock = !Boolean.TRUE.equals(conf.get(ENABLED));
        StormTopologyProcesses running = new StormTopologyProcesses(cluster, name, stock);
        try {
            cluster.submitInactive(name, conf, topology);
            running.begin(workers);
            return running;
        } catch (IllegalStateException e) {
            end(running, e);
            throw e;
        }
    }

    private static void end(RunningTopology running, IllegalStateException why) {
        try {
            running.close();
        } catch (IllegalStateException e) {
            why.addSuppressed(e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (cluster != null) {
            cluster.close();
        }
    }
}
