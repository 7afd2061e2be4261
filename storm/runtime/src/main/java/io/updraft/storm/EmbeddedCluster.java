package io.updraft.storm;

import io.updraft.engine.api.TopologyEngine;
import io.updraft.storm.CountHistory.CountHistoryTimer;
import io.updraft.storm.conf.ConfCycle;
import io.updraft.storm.context.LinkedBlobs;
import io.updraft.storm.legacy.LegacyNames;
import io.updraft.storm.program.FileTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.ILocalCluster;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * The topologies of one cluster in this process: submits, controls, describes and ends them. {@code UpdraftCluster} adds what
 * programs see of the cluster as a whole; Nimbus' calls come here directly.
 *
 * <p>All methods may be called from any thread.
 */
public abstract class EmbeddedCluster extends TopologyCalls implements ILocalCluster {
    /** Whether a program has created this cluster for itself while a redirect was open. */
    private final boolean guest;

    private final Map<String, Object> baseConf;
    private final ClusterSettings settings;
    private final TopologyRegistry topologies = new TopologyRegistry();
    private final TopologyStarts starts;
    private final TridentZooKeeper zooKeeper = new TridentZooKeeper();
    private final AtomicInteger submitted = new AtomicInteger();
    private final LogLevels logLevels = new LogLevels();
    private final CountHistoryTimer history =
            new CountHistoryTimer(topologies, Duration.ofSeconds(CountHistory.STEP_SECS));
    private final long startedNanos = System.nanoTime();

    /** The blob store for topologies; null while no port is open. */
    private volatile NimbusBlobs blobs;

    /** Creates a cluster within a host, or with null for none; {@code baseConf} has the defaults of every topology. */
    EmbeddedCluster(EmbeddedCluster host, ClusterSettings settings, Map<String, Object> baseConf) {
        this.guest = host != null;
        this.settings = settings;
        this.baseConf = LegacyNames.inConf(baseConf);
        this.starts = new TopologyStarts(host == null ? null : host.starts, topologies);
    }

    /**
     * Starts a topology and returns its id; {@code whenGone} runs when nothing is left of the topology, but not if this method
     * throws.
     */
    String submit(
            String topologyName,
            Map<String, Object> conf,
            StormTopology topology,
            SubmitOptions submitOpts,
            Runnable whenGone)
            throws TException {
        String id = topologyName + "-" + submitted.incrementAndGet() + "-" + Time.currentTimeSecs();
        TopologyBlobs given = null;
        try {
            Optional<String> cycle = ConfCycle.in(conf);
            if (cycle.isPresent()) {
                throw new WrappedInvalidTopologyException("the configuration contains itself at '" + cycle.get() + "'");
            }
            given = TopologyBlobs.of(blobs, LegacyNames.inConf(overridden(conf)), baseConf, whenGone);
            start(new TopologySubmission(topologyName, id, given.conf(), topology, submitOpts, given.whenGone()));
            given = null;
        } catch (InvalidTopologyException e) {
            starts.refused(e);
            throw e;
        } finally {
            if (given != null) {
                given.discard();
            }
        }
        return id;
    }

    /** Applies options from outside the program over the configuration, as StormSubmitter does for the host's topologies. */
    private Map<String, Object> overridden(Map<String, Object> conf) {
        if (!guest || conf == null) {
            return conf;
        }
        Map<String, Object> all = new HashMap<>(conf);
        all.putAll(Utils.readCommandLineOpts());
        return all;
    }

    private void start(TopologySubmission submission) throws TException {
        submission.check();
        starts.begin(submission.name());
        try {
            Map<String, Object> base = zooKeeper.withAddress(baseConf, submission.conf(), submission.topology());
            submission.start(base, settings, this::enter);
        } catch (InvalidTopologyException | RuntimeException e) {
            if (starts.isClosed()) {
                throw TopologyStarts.closed(e);
            }
            throw e;
        } finally {
            starts.ended(submission.name());
        }
    }

    private void enter(EmbeddedTopology topology) {
        synchronized (starts) {
            starts.succeeded(topology);
            history.start();
        }
    }

    /** {@return a copy of the defaults of every topology's configuration, as from {@code LocalCluster.getDaemonConf}} */
    public Map<String, Object> getDaemonConf() {
        return new HashMap<>(baseConf);
    }

    /**
     * Kills a topology. Its spouts stop emitting, tuples in flight are drained for up to the wait of the options (by default
     * {@code topology.message.timeout.secs}), then its components are closed. Returns after the end of the topology, or at once
     * if a component calls this method.
     */
    @Override
    public void killTopologyWithOpts(String topologyName, KillOptions options) throws TException {
        EmbeddedTopology topology = topologies.named(topologyName);
        kill(topology, options);
        awaitGone(topology);
    }

    /**
     * Begins to kill a topology and returns at once, as Nimbus does. A second call may shorten the wait.
     *
     * @param topologyName the topology's name
     * @param options the wait for tuples in flight
     * @throws NotAliveException when no topology of this name is alive
     */
    public void requestKill(String topologyName, KillOptions options) throws NotAliveException {
        kill(topologies.named(topologyName), options);
    }

    @Override
    public ClusterSummary getClusterInfo() throws TException {
        return ClusterSummaries.ofCluster(topologies.all(), NimbusAddress.NONE, uptimeSecs(), daemonConf());
    }

    /** Always throws: there is no state in ZooKeeper. */
    @Override
    public IStormClusterState getClusterState() {
        throw new UnsupportedOperationException(
                "an embedded cluster has no state in ZooKeeper; use getTopologyInfo or getClusterInfo");
    }

    /** {@return null: Storm's tracked topologies are not supported here} */
    @Override
    public String getTrackedId() {
        return null;
    }

    @Override
    public abstract void close();

    /**
     * {@return the engine of a running topology, for its live state; the cluster closes it}
     *
     * @param topologyName the topology's name
     * @throws NotAliveException when no topology of this name is alive
     */
    public TopologyEngine engine(String topologyName) throws NotAliveException {
        return topologies.named(topologyName).engine();
    }

    /** {@return the names of the topologies that have not ended, in the order of submission} */
    public List<String> topologyNames() {
        return topologies.all().stream().map(EmbeddedTopology::name).toList();
    }

    @Override
    TopologyRegistry topologies() {
        return topologies;
    }

    TopologyStarts starts() {
        return starts;
    }

    ClusterSettings settings() {
        return settings;
    }

    Map<String, Object> daemonConf() {
        return baseConf;
    }

    void offerBlobs(NimbusBlobs store) {
        blobs = store;
    }

    NimbusBlobs blobs() {
        return blobs;
    }

    LogLevels logLevels() {
        return logLevels;
    }

    /** Changes log levels where the topology runs: in this process or in its workers. */
    void setLogLevels(String id, LogConfig change) throws NotAliveException {
        if (topologies.withId(id).engine() instanceof RemoteEngine remote) {
            remote.setLogLevels(logLevels.record(id, change));
        } else {
            logLevels.set(id, change);
        }
    }

    int uptimeSecs() {
        return (int) Duration.ofNanos(System.nanoTime() - startedNanos).toSeconds();
    }

    /** Wakes the event loops of all topologies, so that they read a simulated time that has advanced. */
    void wakeLoops() {
        topologies.all().forEach(EmbeddedTopology::wake);
    }

    /** Kills a topology without a drain and waits for its end. Does nothing if it has ended. */
    void killNow(String id) {
        for (EmbeddedTopology topology : topologies.all()) {
            if (topology.id().equals(id)) {
                kill(topology, Duration.ZERO);
                awaitGone(topology);
            }
        }
    }

    /** Ends all topologies at the same time, with what {@code guestsEnd} ends, and then what they share. */
    void end(Duration drain, Runnable guestsEnd) {
        starts.endAll();
        List<EmbeddedTopology> all = topologies.all();
        all.forEach(topology -> kill(topology, drain));
        guestsEnd.run();
        all.forEach(EmbeddedCluster::awaitGone);
        zooKeeper.close();
        history.close();
        logLevels.close();
    }

    private void kill(EmbeddedTopology topology, KillOptions options) {
        Object standard = topology.engine().plan().conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        int secs = options.is_set_wait_secs() ? options.get_wait_secs() : ObjectReader.getInt(standard, 30);
        kill(topology, Duration.ofSeconds(secs));
    }

    private void kill(EmbeddedTopology topology, Duration drain) {
        topology.kill(drain, () -> {
            topologies.remove(topology);
            logLevels.forget(topology.id());
        });
    }

    private static void awaitGone(EmbeddedTopology topology) {
        if (!EmbeddedTopology.insideEngine()) {
            topology.awaitEnd();
        }
    }

    /**
     * The blobs that one topology has from Nimbus, from its submission to its end; the directory is null if it has none.
     */
    private record TopologyBlobs(Path directory, Map<String, Object> conf, Runnable whenGone) {

        static TopologyBlobs of(
                NimbusBlobs store, Map<String, Object> conf, Map<String, Object> beneath, Runnable whenGone)
                throws TException {
            Path directory = store == null || beneath.get(LinkedBlobs.DIRECTORY) != null ? null : store.link(conf);
            if (directory == null) {
                return new TopologyBlobs(null, conf, whenGone);
            }
            Map<String, Object> all = new HashMap<>(conf);
            all.put(LinkedBlobs.DIRECTORY, directory.toString());
            return new TopologyBlobs(directory, all, () -> {
                try {
                    whenGone.run();
                } finally {
                    remove(directory);
                }
            });
        }

        void discard() {
            remove(directory);
        }

        private static void remove(Path directory) {
            if (directory == null) {
                return;
            }
            try {
                FileTree.delete(directory);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove the blobs of a topology from " + directory, e);
            }
        }
    }
}
