package io.updraft.bench.cluster;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.workers.WorkersRuntime;
import io.updraft.bench.workers.WorkersTopology;
import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterBuilder;
import io.updraft.stormcluster.StormClusterException;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;

/**
 * Runs topologies in workers that a stock Supervisor launches. The workers are Storm's own. If the cluster has Updraft's
 * archive, topologies that request them get Updraft's workers. The cluster starts before the first topology, which takes about
 * ten seconds, and runs until this object is closed. If this JVM dies, the cluster's processes end as well.
 *
 * <p>All workers belong to one Supervisor, because further Supervisors would only take CPU time from the measured workers.
 */
public final class StormClusterWorkers implements WorkersRuntime {

    private final Path archive;
    private volatile StormCluster cluster;
    private int slots;
    private boolean closed;

    /**
     * Starts nothing yet. The cluster will have the archive that the system property {@link WorkersRuntime#ARCHIVE} names, if
     * set.
     */
    public StormClusterWorkers() {
        this(System.getProperty(ARCHIVE) == null ? null : Path.of(System.getProperty(ARCHIVE)));
    }

    /** Starts nothing yet. If {@code archive} is null, the cluster has stock workers only. */
    StormClusterWorkers(Path archive) {
        this.archive = archive;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the cluster does not start; the message is one line, and the cause has the logs of all
     *     processes
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
     * @throws IllegalStateException when the cluster does not start or does not run the topology; the message is one line, and
     *     the cause has the logs of all processes
     */
    @Override
    public WorkersTopology submit(String name, Map<String, Object> conf, StormTopology topology) {
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

    /** Keeps the started cluster, unless another thread called {@link #close} while it was starting. */
    private synchronized void keep(StormCluster started, int workers) {
        if (closed) {
            started.close();
            throw new IllegalStateException("the bench was closed while the Storm cluster was starting");
        }
        cluster = started;
        slots = workers;
    }

    private StormCluster start(int workers) {
        StormClusterBuilder builder = StormCluster.builder()
                .supervisors(1)
                .slots(workers)
                // The bench's components, what they stand on, and the histogram library.
                .plugin(Jars.of(BenchRunState.class))
                .plugin(Jars.of(DaemonThreads.class))
                .plugin(Jars.of(Histogram.class));
        plugins().forEach(builder::plugin);
        ClusterConf.all().forEach(builder::config);
        if (archive != null) {
            builder.updraft(archive);
        }
        return builder.start();
    }

    /** {@return what the bench's topologies of another module stand on} */
    private static Stream<Path> plugins() {
        return Stream.of(System.getProperty(PLUGINS, "").split(File.pathSeparator))
                .filter(path -> !path.isEmpty())
                .map(Path::of);
    }

    private WorkersTopology run(String name, Map<String, Object> conf, StormTopology topology, int workers) {
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

    private static void end(WorkersTopology running, IllegalStateException cause) {
        try {
            running.close();
        } catch (IllegalStateException e) {
            cause.addSuppressed(e);
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
