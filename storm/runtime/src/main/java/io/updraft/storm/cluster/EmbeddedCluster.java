package io.updraft.storm.cluster;

import io.updraft.engine.TopologyEngine;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.blob.NimbusBlobs;
import io.updraft.storm.cluster.CountHistory.CountHistoryTimer;
import io.updraft.storm.conf.ConfCycle;
import io.updraft.storm.zookeeper.TridentZooKeeper;
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
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * The topologies of one cluster in this process: submits, controls, describes and ends them. {@link UpdraftCluster} adds what
 * programs see of the cluster as a whole; Nimbus' calls come here directly.
 *
 * <p>All methods may be called from any thread.
 */
public abstract class EmbeddedCluster implements ILocalCluster {
    /** Whether a program has created this cluster for itself while a door was open. */
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
    protected EmbeddedCluster(EmbeddedCluster host, ClusterSettings settings, Map<String, Object> baseConf) {
        this.guest = host != null;
        this.settings = settings;
        this.baseConf = baseConf;
        this.starts = new TopologyStarts(host == null ? null : host.starts, topologies);
    }

    /**
     * Starts a topology and returns its id; {@code whenGone} runs when nothing is left of the topology, but not if this method
     * throws.
     */
    public String submit(
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
            given = TopologyBlobs.of(blobs, overridden(conf), baseConf, whenGone);
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

    /**
     * Sends new credentials to the components that listen ({@code ICredentialsListener}), each on its own thread,
     * asynchronously.
     *
     * @throws NotAliveException when no topology of this name is alive
     * @throws UnsupportedOperationException when the topology runs in worker processes
     */
    @Override
    public void uploadNewCredentials(String topologyName, Credentials creds) throws TException {
        topologies.named(topologyName).setCredentials(creds.get_creds());
    }

    /** {@return a copy of the defaults of every topology's configuration, as from {@code LocalCluster.getDaemonConf}} */
    public Map<String, Object> getDaemonConf() {
        return new HashMap<>(baseConf);
    }

    @Override
    public void killTopology(String topologyName) throws TException {
        killTopologyWithOpts(topologyName, new KillOptions());
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

    /** Begins to kill a topology and returns at once, as Nimbus does. A second call may shorten the wait. */
    public void requestKill(String topologyName, KillOptions options) throws NotAliveException {
        kill(topologies.named(topologyName), options);
    }

    @Override
    public void activate(String topologyName) throws TException {
        topologies.named(topologyName).activate();
    }

    @Override
    public void deactivate(String topologyName) throws TException {
        topologies.named(topologyName).deactivate();
    }

    /**
     * Switches which tuples a topology sends to its event logger, as Nimbus' {@code debug} does. The topology must have an
     * event logger: {@code topology.eventlogger.executors}.
     *
     * @param topologyName the topology's name
     * @param component one component; null or empty for all components without an option of their own
     * @param enable whether to send any tuple
     * @param samplingPercentage the share of emitted tuples to send, in percent; a value out of bounds is clamped to 0 or 100
     * @throws NotAliveException when no topology of this name is alive
     */
    public void debug(String topologyName, String component, boolean enable, double samplingPercentage)
            throws NotAliveException {
        topologies.named(topologyName).debug(component, enable, samplingPercentage);
    }

    /**
     * Changes the numbers of executors of components. In a topology in worker processes, this can also change the number of
     * workers and the configuration. Returns when the change is complete.
     *
     * <p>A topology in this process is not deactivated and nothing restarts, unlike in Storm: tasks keep their instances and
     * their queued tuples. The wait of the options (by default {@code topology.message.timeout.secs}) applies to messages in
     * flight of a spout whose own number of executors changes. Messages that are not complete by then fail.
     *
     * <p>A topology in worker processes is paused and its tuples in flight are drained, at most as long as the options say. Its
     * workers end, and others start in their place. Meanwhile its status is {@code REBALANCING}.
     *
     * @throws InvalidTopologyException when a component does not exist, or a change is not possible; the topology is unchanged
     * @throws IllegalStateException when another rebalance is in progress; when a call of user code did not return, so that
     *     nothing changed; or when new workers did not start, so that the topology was started again as before
     */
    @Override
    public void rebalance(String name, RebalanceOptions options) throws TException {
        TopologyRebalance.of(topologies.named(name), options).carryOut();
    }

    @Override
    public String getTopologyConf(String id) throws TException {
        return JSONValue.toJSONString(topologies.withId(id).conf());
    }

    /** {@return the topology as submitted, without system components} */
    @Override
    public StormTopology getTopology(String id) throws TException {
        return topologies.withId(id).topology().deepCopy();
    }

    @Override
    public ClusterSummary getClusterInfo() throws TException {
        return ClusterSummaries.ofCluster(topologies.all(), NimbusAddress.NONE, uptimeSecs());
    }

    @Override
    public List<TopologySummary> getTopologySummaries() throws TException {
        return ClusterSummaries.of(topologies.all());
    }

    @Override
    public TopologySummary getTopologySummaryByName(String name) throws TException {
        return ClusterSummaries.of(topologies.named(name));
    }

    @Override
    public TopologySummary getTopologySummary(String id) throws TException {
        return ClusterSummaries.of(topologies.withId(id));
    }

    @Override
    public TopologyInfo getTopologyInfo(String id) throws TException {
        return ClusterSummaries.of(topologies.withId(id), NumErrorsChoice.ALL);
    }

    @Override
    public TopologyInfo getTopologyInfoByName(String name) throws TException {
        return ClusterSummaries.of(topologies.named(name), NumErrorsChoice.ALL);
    }

    @Override
    public TopologyInfo getTopologyInfoWithOpts(String id, GetInfoOptions options) throws TException {
        return ClusterSummaries.of(topologies.withId(id), options.get_num_err_choice());
    }

    @Override
    public TopologyInfo getTopologyInfoByNameWithOpts(String name, GetInfoOptions options) throws TException {
        return ClusterSummaries.of(topologies.named(name), options.get_num_err_choice());
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
     * Returns the engine of a running topology, for its live state.
     *
     * @param topologyName the topology's name
     * @return the topology's engine; the cluster closes it
     * @throws NotAliveException when no topology of this name is alive
     */
    public TopologyEngine engine(String topologyName) throws NotAliveException {
        return topologies.named(topologyName).engine();
    }

    /** {@return the names of the topologies that have not ended, in the order of submission} */
    public List<String> topologyNames() {
        return topologies.all().stream().map(EmbeddedTopology::name).toList();
    }

    TopologyRegistry topologies() {
        return topologies;
    }

    public TopologyStarts starts() {
        return starts;
    }

    public ClusterSettings settings() {
        return settings;
    }

    public Map<String, Object> daemonConf() {
        return baseConf;
    }

    public void offerBlobs(NimbusBlobs store) {
        blobs = store;
    }

    public NimbusBlobs blobs() {
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
    public void wakeLoops() {
        topologies.all().forEach(EmbeddedTopology::wake);
    }

    /** Kills a topology without a drain and waits for its end. Does nothing if it has ended. */
    public void killNow(String id) {
        for (EmbeddedTopology topology : topologies.all()) {
            if (topology.id().equals(id)) {
                kill(topology, Duration.ZERO);
                awaitGone(topology);
            }
        }
    }

    /** Ends all topologies at the same time, with what {@code others} ends, and then what they share. */
    public void end(Duration drain, Runnable others) {
        starts.endAll();
        List<EmbeddedTopology> all = topologies.all();
        all.forEach(topology -> kill(topology, drain));
        others.run();
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
}
