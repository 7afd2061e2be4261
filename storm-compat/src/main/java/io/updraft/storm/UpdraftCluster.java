package io.updraft.storm;

import io.updraft.engine.Engine;
import io.updraft.engine.EngineStarter;
import io.updraft.engine.TopologyEngine;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.ErrorReport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.apache.storm.Config;
import org.apache.storm.ILocalCluster;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedAlreadyAliveException;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * A cluster inside this process: what a test or program says instead of {@code new LocalCluster()}. There is no
 * ZooKeeper, Nimbus or Supervisor; each topology is one {@link Engine}, or whatever
 * {@link Builder#withEngines} says.
 *
 * <p>Differences from Storm's {@code LocalCluster}:
 * <ul>
 *   <li>killing a topology returns when it is gone, unless the caller is a component of a topology;
 *   <li>the wait of a kill ends as soon as nothing is in flight;
 *   <li>closing the cluster drains its topologies first, up to {@link Builder#withDrainLimit};
 *   <li>message timeouts are on, as in production; only where time is simulated they are off, as in Storm, until
 *       {@link Builder#withDaemonConf} or the topology says {@code topology.enable.message.timeouts};
 *   <li>{@code StormSubmitter} and {@code NimbusClient} reach it only while a {@link SubmitterDoor} is open.
 * </ul>
 *
 * <p>One that a program makes for itself while it is run by somebody who has opened a {@link SubmitterDoor}, as {@code updraft run} does, is a guest
 * of the door's cluster: it takes from that its settings, unless it is told otherwise, and how its topologies are started, is among its
 * {@link #clusters()}, and ends with it.
 *
 * <p>All methods may be called from any thread.
 */
public final class UpdraftCluster implements ILocalCluster {
    private static final int MOST_IDS = 1000;

    /** Longer than it takes to kill workers that do not stop. */
    private static final Duration STARTS_END = Duration.ofSeconds(20);

    private static final long LOOK_MILLIS = 1000;

    /** The cluster of the run within which a program has made this one; null if there is none. */
    private final UpdraftCluster host = SubmitterDoor.openTo();

    private final List<UpdraftCluster> guests = new CopyOnWriteArrayList<>();
    private final Map<String, Object> baseConf;
    private final ClusterSettings settings;
    private final SimulatedClock simulated;
    private final Topologies topologies = new Topologies();
    private final TransactionZooKeeper zooKeeper = new TransactionZooKeeper();
    private final AtomicInteger submitted = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();
    private final Object submitting = new Object();
    private final Deque<String> ids = new ArrayDeque<>();

    /** Topologies that are not running yet, with the threads that submit them, and those threads that close() has interrupted. */
    private final Map<String, Thread> starting = new HashMap<>();

    private final Set<Thread> interrupted = new HashSet<>();

    private final LogLevels logLevels = new LogLevels();
    private final HistoryKeeper history = new HistoryKeeper(topologies, Duration.ofSeconds(CountHistory.STEP_SECS));
    private final long startedNanos = System.nanoTime();
    private volatile InvalidTopologyException lastRefusal;
    private volatile boolean closed;

    /** What topologies find their blobs in; null while no port is open. */
    private volatile NimbusBlobs blobs;

    /** Creates a cluster with real time and Storm's defaults. Nothing is started before the first topology. */
    public UpdraftCluster() {
        this(new Builder());
    }

    private UpdraftCluster(Builder builder) {
        simulated = builder.simulatedTime ? new SimulatedClock() : null;
        EngineClock clock = simulated == null ? EngineClock.SYSTEM : simulated;
        settings = new ClusterSettings(
                builder.enginesWithin(host),
                clock,
                builder.seed,
                builder.drainLimit,
                host == null ? builder.onError : host.settings.onError().andThen(builder.onError),
                host == null ? builder.onDeath : host.settings.onDeath().andThen(builder.onDeath));
        baseConf = builder.baseConf();
        if (host != null) {
            host.guests.add(this);
        }
    }

    /** {@return this cluster, and those of its guests that are open: clusters that a program has made for itself} */
    public List<UpdraftCluster> clusters() {
        List<UpdraftCluster> all = new ArrayList<>(List.of(this));
        all.addAll(guests);
        return all;
    }

    @Override
    public LocalTopology submitTopology(String topologyName, Map<String, Object> conf, StormTopology topology)
            throws TException {
        return submitTopologyWithOpts(topologyName, conf, topology, new SubmitOptions(TopologyInitialStatus.ACTIVE));
    }

    /**
     * Starts a topology; its spouts are active when this returns unless the options say otherwise.
     *
     * @throws AlreadyAliveException when a topology of this name is running or still being killed
     * @throws InvalidTopologyException when it cannot run; the message names the component, the stream and the remedy
     * @throws IllegalArgumentException when the configuration cannot be written as JSON
     * @throws IllegalStateException when the cluster is closed
     */
    @Override
    public LocalTopology submitTopologyWithOpts(
            String topologyName, Map<String, Object> conf, StormTopology topology, SubmitOptions submitOpts)
            throws TException {
        return submit(topologyName, conf, topology, submitOpts, () -> {});
    }

    /** The same, with something to be run when nothing is left of the topology; not if this throws. */
    LocalTopology submit(
            String topologyName,
            Map<String, Object> conf,
            StormTopology topology,
            SubmitOptions submitOpts,
            Runnable whenGone)
            throws TException {
        String id = topologyName + "-" + submitted.incrementAndGet() + "-" + Time.currentTimeSecs();
        GivenBlobs given = null;
        try {
            Optional<String> cycle = ConfCycle.in(conf);
            if (cycle.isPresent()) {
                throw new WrappedInvalidTopologyException("the configuration contains itself at '" + cycle.get() + "'");
            }
            given = GivenBlobs.of(blobs, overridden(conf), baseConf, whenGone);
            start(new Submission(topologyName, id, given.conf(), topology, submitOpts, given.whenGone()));
            given = null;
        } catch (InvalidTopologyException e) {
            noteRefusal(e);
            throw e;
        } finally {
            if (given != null) {
                given.takeBack();
            }
        }
        return new LocalTopology(this, id, topology);
    }

    /** What StormSubmitter does for the host's topologies: options from outside of the program win over what it says. */
    private Map<String, Object> overridden(Map<String, Object> conf) {
        if (host == null || conf == null) {
            return conf;
        }
        Map<String, Object> all = new HashMap<>(conf);
        all.putAll(Utils.readCommandLineOpts());
        return all;
    }

    private void noteRefusal(InvalidTopologyException refusal) {
        lastRefusal = refusal;
        if (host != null) {
            host.noteRefusal(refusal);
        }
    }

    /**
     * Gives the components that listen ({@code ICredentialsListener}) new credentials, each on the thread that runs it, soon.
     *
     * @throws NotAliveException when no such topology is alive
     * @throws UnsupportedOperationException when it runs in worker processes
     */
    @Override
    public void uploadNewCredentials(String topologyName, Credentials creds) throws TException {
        topologies.named(topologyName).setCredentials(creds.get_creds());
    }

    /** {@return Nimbus' interface to this cluster, as {@code LocalCluster.getNimbus} offers it} */
    public Nimbus.Iface getNimbus() {
        return LocalNimbus.of(this);
    }

    /** {@return the configuration beneath that of every topology, as {@code LocalCluster.getDaemonConf} tells it; a copy} */
    public Map<String, Object> getDaemonConf() {
        return new HashMap<>(baseConf);
    }

    @Override
    public void killTopology(String topologyName) throws TException {
        killTopologyWithOpts(topologyName, new KillOptions());
    }

    /**
     * Kills a topology: its spouts are asked for no more tuples, tuples in flight are completed for up to the wait of the
     * options (by default {@code topology.message.timeout.secs}), its components are closed. Returns when it is gone;
     * at once when called by a component.
     */
    @Override
    public void killTopologyWithOpts(String topologyName, KillOptions options) throws TException {
        awaitGone(beginKill(topologyName, options));
    }

    /**
     * Begins to kill a topology and does not wait for its end, as Nimbus does. It is killed a second time to shorten the wait.
     *
     * @param topologyName the topology's name
     * @param options how long tuples in flight are waited for, as above
     * @throws NotAliveException when no such topology is alive
     */
    public void requestKill(String topologyName, KillOptions options) throws NotAliveException {
        beginKill(topologyName, options);
    }

    /** Begins to kill a topology. {@return it, which is not gone yet} */
    RunningTopology beginKill(String topologyName, KillOptions options) throws NotAliveException {
        RunningTopology topology = topologies.named(topologyName);
        kill(topology, Duration.ofSeconds(waitSecs(topology, options)));
        return topology;
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
     * Switches what a topology sends to its event logger, as Nimbus' {@code debug} does. There has to be one:
     * {@code topology.eventlogger.executors}.
     *
     * @param topologyName the topology's name
     * @param component one component; null or empty for all of which nothing else was said
     * @param enable whether anything is sent
     * @param samplingPercentage how much of what is emitted, percent; what is out of bounds counts as the nearest in bounds
     * @throws NotAliveException when no such topology is alive
     */
    public void debug(String topologyName, String component, boolean enable, double samplingPercentage)
            throws NotAliveException {
        topologies.named(topologyName).debug(component, enable, samplingPercentage);
    }

    /**
     * Changes the numbers of executors of components, and, of a topology in worker processes, the number of workers and the
     * configuration. Returns when it is done.
     *
     * <p>In this process nothing is deactivated and nothing restarts, unlike in Storm: tasks keep their instances, and what is
     * queued for them. The wait of the options (by default {@code topology.message.timeout.secs}) is how long messages in
     * flight of a spout that is itself changed are waited for; those that are not complete by then fail.
     *
     * <p>A topology in worker processes is paused; its tuples in flight are waited for, at most as long as the options say; its
     * workers end, and others start in their place. It is {@code REBALANCING} meanwhile.
     *
     * @throws InvalidTopologyException when there is no such component, or something else is asked for than can be changed;
     *     nothing has changed then
     * @throws IllegalStateException when it is being rebalanced already, when a component's code did not return, so that
     *     nothing was changed, or when new workers did not start, so that it was started again as it was
     */
    @Override
    public void rebalance(String name, RebalanceOptions options) throws TException {
        Rebalance.of(topologies.named(name), options).carryOut();
    }

    @Override
    @Deprecated
    public void shutdown() {
        close();
    }

    /**
     * Drains and ends every topology, all at the same time, those of its guests too; one that is only starting is not waited for.
     * Idempotent.
     */
    @Override
    public void close() {
        close(settings.drainLimit());
    }

    private void close(Duration drain) {
        endStarts();
        List<RunningTopology> all = topologies.all();
        all.forEach(topology -> kill(topology, drain));
        guests.forEach(guest -> guest.close(drain));
        all.forEach(UpdraftCluster::awaitGone);
        zooKeeper.close();
        history.close();
        logLevels.close();
        if (simulated != null) {
            simulated.close();
        }
        if (host != null) {
            host.guests.remove(this);
        }
    }

    @Override
    public String getTopologyConf(String id) throws TException {
        return JSONValue.toJSONString(topologies.withId(id).conf());
    }

    /** {@return the topology as submitted; no system components are added to an embedded topology} */
    @Override
    public StormTopology getTopology(String id) throws TException {
        return topologies.withId(id).topology().deepCopy();
    }

    @Override
    public ClusterSummary getClusterInfo() throws TException {
        return Summaries.ofCluster(
                topologies.all(), new NimbusAddress(Summaries.HOST, NimbusAddress.STORMS_PORT, 0), uptimeSecs());
    }

    @Override
    public List<TopologySummary> getTopologySummaries() throws TException {
        return Summaries.of(topologies.all());
    }

    @Override
    public TopologySummary getTopologySummaryByName(String name) throws TException {
        return Summaries.of(topologies.named(name));
    }

    @Override
    public TopologySummary getTopologySummary(String id) throws TException {
        return Summaries.of(topologies.withId(id));
    }

    @Override
    public TopologyInfo getTopologyInfo(String id) throws TException {
        return TopologyInfos.of(topologies.withId(id), NumErrorsChoice.ALL);
    }

    @Override
    public TopologyInfo getTopologyInfoByName(String name) throws TException {
        return TopologyInfos.of(topologies.named(name), NumErrorsChoice.ALL);
    }

    @Override
    public TopologyInfo getTopologyInfoWithOpts(String id, GetInfoOptions options) throws TException {
        return TopologyInfos.of(topologies.withId(id), options.get_num_err_choice());
    }

    @Override
    public TopologyInfo getTopologyInfoByNameWithOpts(String name, GetInfoOptions options) throws TException {
        return TopologyInfos.of(topologies.named(name), options.get_num_err_choice());
    }

    /** Refused: there is no ZooKeeper whose state could be shown. */
    @Override
    public IStormClusterState getClusterState() {
        throw new UnsupportedOperationException(
                "an embedded cluster keeps no state in ZooKeeper; ask getTopologyInfo or getClusterInfo");
    }

    @Override
    public void advanceClusterTime(int secs) throws InterruptedException {
        advanceClusterTime(secs, 1);
    }

    /**
     * Moves simulated time on in steps, and waits after each until the event loops have seen it.
     *
     * @param secs how far in all, seconds
     * @param stepSecs the length of one step, seconds, as Storm's {@code LocalCluster} takes it
     * @throws UnsupportedOperationException when the cluster was not built with {@link Builder#withSimulatedTime()}
     */
    @Override
    public void advanceClusterTime(int secs, int stepSecs) throws InterruptedException {
        if (simulated == null) {
            throw new UnsupportedOperationException(
                    "this cluster runs on real time; build it with UpdraftCluster.Builder.withSimulatedTime()");
        }
        if (stepSecs <= 0) {
            throw new IllegalArgumentException("the step must be at least 1 second, not " + stepSecs);
        }
        for (int left = secs; left > 0; left -= stepSecs) {
            simulated.advance(Math.min(stepSecs, left), () -> topologies.all().forEach(RunningTopology::wake));
        }
    }

    /** {@return null: Storm's internal tracked topologies do not exist here} */
    @Override
    public String getTrackedId() {
        return null;
    }

    /**
     * The engine of a running topology, for its live state.
     *
     * @param topologyName the topology's name
     * @return its engine; closing it is the cluster's business
     * @throws NotAliveException when no such topology is alive
     */
    public TopologyEngine engine(String topologyName) throws NotAliveException {
        return topologies.named(topologyName).engine();
    }

    /** {@return the names of the topologies that are alive, in the order of submission} */
    public List<String> topologyNames() {
        return topologies.all().stream().map(RunningTopology::name).toList();
    }

    /** {@return how many topologies have been started since the cluster was made, those of its guests included} */
    int started() {
        return started.get();
    }

    /** {@return the newest refusal of a topology, or null: programs have been seen to swallow it} */
    InvalidTopologyException lastRefusal() {
        return lastRefusal;
    }

    /** {@return what is alive, in the order of submission} */
    List<RunningTopology> running() {
        return topologies.all();
    }

    /** {@return the topology with an id} */
    RunningTopology running(String id) throws NotAliveException {
        return topologies.withId(id);
    }

    /** {@return the ids of the last topologies that were started, the newest last} */
    List<String> submittedIds() {
        synchronized (submitting) {
            return new ArrayList<>(ids);
        }
    }

    /** {@return the configuration beneath that of every topology} */
    Map<String, Object> daemonConf() {
        return baseConf;
    }

    /** Lets topologies find their blobs there; null for nowhere. */
    void offerBlobs(NimbusBlobs store) {
        blobs = store;
    }

    /** {@return what topologies find their blobs in; null for nothing} */
    NimbusBlobs blobs() {
        return blobs;
    }

    /** {@return the log levels that topologies have asked for} */
    LogLevels logLevels() {
        return logLevels;
    }

    /** Changes log levels where the topology runs: in this process, or in its workers. */
    void setLogLevels(String id, LogConfig change) throws NotAliveException {
        RunningTopology topology = topologies.withId(id);
        if (topology.engine() instanceof RemoteEngine remote) {
            remote.setLogLevels(logLevels.keep(id, change));
        } else {
            logLevels.set(id, change);
        }
    }

    /** {@return whether a topology of this name could be submitted now} */
    boolean isFree(String topologyName) {
        synchronized (submitting) {
            return !isClosed() && !topologies.has(topologyName) && !starting.containsKey(topologyName);
        }
    }

    /** {@return seconds since the cluster was made} */
    int uptimeSecs() {
        return (int) Duration.ofNanos(System.nanoTime() - startedNanos).toSeconds();
    }

    /** Others are not held up: workers may take minutes until they run. */
    private void start(Submission submission) throws TException {
        submission.check();
        begin(submission.name());
        try {
            Map<String, Object> base = zooKeeper.beneath(baseConf, submission.conf(), submission.topology());
            submission.start(base, settings, this::enter);
        } catch (InvalidTopologyException | RuntimeException e) {
            if (isClosed()) {
                throw closed(e);
            }
            throw e;
        } finally {
            ended(submission.name());
        }
    }

    private void begin(String name) throws TException {
        synchronized (submitting) {
            if (isClosed()) {
                throw closed(null);
            }
            if (topologies.has(name) || starting.containsKey(name)) {
                throw new WrappedAlreadyAliveException(
                        "a topology named '" + name + "' is running already; kill it first or choose another name");
            }
            starting.put(name, Thread.currentThread());
        }
    }

    private void enter(RunningTopology topology) {
        synchronized (submitting) {
            if (isClosed()) {
                throw closed(null);
            }
            topologies.add(topology);
            history.start();
            noteStart();
            ids.add(topology.id());
            if (ids.size() > MOST_IDS) {
                ids.remove();
            }
        }
    }

    private void noteStart() {
        started.incrementAndGet();
        if (host != null) {
            host.noteStart();
        }
    }

    /** A guest takes no more topologies when the run is over. */
    private boolean isClosed() {
        return closed || host != null && host.isClosed();
    }

    private void ended(String name) {
        synchronized (submitting) {
            starting.remove(name);
            if (interrupted.remove(Thread.currentThread())) {
                // It was interrupted for this start alone: see endStarts.
                Thread.interrupted();
            }
            submitting.notifyAll();
        }
    }

    private static IllegalStateException closed(Throwable cause) {
        return new IllegalStateException("the cluster is closed; it takes no more topologies", cause);
    }

    /** Has those end that are starting, and waits for that. */
    private void endStarts() {
        long deadline = System.nanoTime() + STARTS_END.toNanos();
        synchronized (submitting) {
            closed = true;
            for (Thread thread : starting.values()) {
                if (thread != Thread.currentThread() && interrupted.add(thread)) {
                    thread.interrupt();
                }
            }
            try {
                while (!interrupted.isEmpty() && System.nanoTime() - deadline < 0) {
                    submitting.wait(LOOK_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void kill(RunningTopology topology, Duration drain) {
        topology.kill(drain, () -> {
            topologies.remove(topology);
            logLevels.forget(topology.id());
        });
    }

    private static void awaitGone(RunningTopology topology) {
        if (!Callers.insideEngine()) {
            topology.awaitGone();
        }
    }

    private static int waitSecs(RunningTopology topology, KillOptions options) {
        Object standard = topology.engine().plan().conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        return options.is_set_wait_secs() ? options.get_wait_secs() : ObjectReader.getInt(standard, 30);
    }

    /** A running topology that ends when closed. */
    public static final class LocalTopology extends StormTopology implements ILocalTopology {
        private static final long serialVersionUID = 1L;

        private final transient UpdraftCluster cluster;
        private final transient String id;

        private LocalTopology(UpdraftCluster cluster, String id, StormTopology topology) {
            super(topology);
            this.cluster = cluster;
            this.id = id;
        }

        /** Kills the topology without a drain, as Storm does, and waits until it is gone. Idempotent. */
        @Override
        public void close() {
            for (RunningTopology topology : cluster.topologies.all()) {
                if (topology.id().equals(id)) {
                    cluster.kill(topology, Duration.ZERO);
                    awaitGone(topology);
                }
            }
        }
    }

    /** Builds clusters that differ from the standard one. Not safe for use by several threads. */
    public static final class Builder {
        private final Map<String, Object> daemonConf = new HashMap<>();
        /** Null if it was not said: then in this JVM, or, for a guest, as the host's. */
        private EngineStarter engines;

        private boolean simulatedTime;
        private long seed = System.nanoTime();
        private Duration drainLimit = Duration.ofSeconds(5);
        private BiConsumer<String, ErrorReport> onError = (topology, error) -> {};
        private BiConsumer<String, ErrorReport> onDeath = (topology, death) -> {};

        /** Creates a builder of the standard cluster. */
        public Builder() {}

        /**
         * Puts configuration beneath that of every topology, as {@code storm.yaml} of a cluster's daemons does.
         *
         * @param conf the settings, replacing those given before
         * @return this
         */
        public Builder withDaemonConf(Map<String, Object> conf) {
            daemonConf.clear();
            daemonConf.putAll(conf);
            return this;
        }

        /**
         * Puts one setting beneath the configuration of every topology.
         *
         * @param key its name
         * @param value its value
         * @return this
         */
        public Builder withDaemonConf(String key, Object value) {
            daemonConf.put(key, value);
            return this;
        }

        /**
         * Lets {@link #advanceClusterTime(int)} drive time: timeouts, ticks and Storm's {@link Time}, which is one for the
         * whole process, start at 0 and move only then. As in Storm messages time out only if
         * {@code topology.enable.message.timeouts} says so.
         *
         * @return this
         */
        public Builder withSimulatedTime() {
            simulatedTime = true;
            return this;
        }

        /**
         * Lets topologies run elsewhere than in this JVM, which is where they run if this is not said. Time cannot be
         * simulated then.
         *
         * @param starter starts each topology
         * @return this
         */
        public Builder withEngines(EngineStarter starter) {
            engines = Objects.requireNonNull(starter);
            return this;
        }

        /**
         * Fixes the seed of every random choice of the engine.
         *
         * @param value the seed
         * @return this
         */
        public Builder withSeed(long value) {
            seed = value;
            return this;
        }

        /**
         * Limits how long closing the cluster waits for tuples in flight; 5 seconds if not said.
         *
         * @param limit the limit, zero for no drain
         * @return this
         */
        public Builder withDrainLimit(Duration limit) {
            drainLimit = Objects.requireNonNull(limit);
            return this;
        }

        /**
         * Tells the failures of user code, which the engine logs, to somebody else too.
         *
         * @param listener takes the topology's name and the failure, on the thread where it happened; must not block
         * @return this
         */
        public Builder withErrorListener(BiConsumer<String, ErrorReport> listener) {
            onError = Objects.requireNonNull(listener);
            return this;
        }

        /**
         * Tells somebody that an engine gave up ({@code updraft.on.error: die}); its topology stays, dead, until killed.
         *
         * @param listener takes the topology's name and the failure, on an engine thread; must not block
         * @return this
         */
        public Builder withDeathListener(BiConsumer<String, ErrorReport> listener) {
            onDeath = Objects.requireNonNull(listener);
            return this;
        }

        /** {@return a new cluster} */
        public UpdraftCluster build() {
            return new UpdraftCluster(this);
        }

        /** Time can be simulated in this JVM only. */
        private EngineStarter enginesWithin(UpdraftCluster host) {
            if (engines != null) {
                return engines;
            }
            return host == null || simulatedTime ? Engine::start : host.settings.engines();
        }

        /** As {@code LocalCluster}: Storm's defaults, a {@code storm.yaml} if there is one, and what suits one process. */
        private Map<String, Object> baseConf() {
            Map<String, Object> conf = Utils.readStormConfig();
            conf.put(Config.STORM_CLUSTER_MODE, "local");
            conf.put(Config.TOPOLOGY_SKIP_MISSING_KRYO_REGISTRATIONS, true);
            conf.put(Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS, 50);
            if (simulatedTime) {
                conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
            }
            conf.putAll(daemonConf);
            return conf;
        }
    }
}
