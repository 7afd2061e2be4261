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
 * A cluster inside this process, for tests and programs, in place of {@code new LocalCluster()}. There is no ZooKeeper, Nimbus
 * or Supervisor. Each topology runs in one {@link Engine}, or as {@link Builder#withEngines} sets.
 *
 * <p>Differences from Storm's {@code LocalCluster}:
 * <ul>
 *   <li>a kill returns after the topology has ended, unless the caller is a component of a topology;
 *   <li>the wait of a kill ends as soon as no tuple is in flight;
 *   <li>closing the cluster drains its topologies first, up to {@link Builder#withDrainLimit};
 *   <li>message timeouts are on, as in production. With simulated time they are off, as in Storm, unless {@link
 *   Builder#withDaemonConf} or the topology sets {@code topology.enable.message.timeouts};
 *   <li>{@code StormSubmitter} and {@code NimbusClient} reach the cluster only while a {@link SubmitterDoor} is open.
 * </ul>
 *
 * <p>A cluster that a program creates while a {@link SubmitterDoor} is open, as under {@code updraft run}, is a guest of the
 * door's cluster. A guest reads the same configuration files and runs its topologies with the engines of the host, unless its
 * builder sets others. It reports failures to the host's listeners too. It is among the host's {@link #clusters()} and ends
 * with the host.
 *
 * <p>All methods may be called from any thread.
 */
public final class UpdraftCluster implements ILocalCluster {
    private static final int MOST_IDS = 1000;

    /** Exceeds the time that it takes to kill workers which do not stop. */
    private static final Duration STARTS_END = Duration.ofSeconds(20);

    private static final long LOOK_MILLIS = 1000;

    /** The host: the cluster of the open door when this one was created; null if there was none. */
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

    /** Topologies that are starting, with the threads that submit them, and those threads that close() has interrupted. */
    private final Map<String, Thread> starting = new HashMap<>();

    private final Set<Thread> interrupted = new HashSet<>();

    private final LogLevels logLevels = new LogLevels();
    private final HistoryKeeper history = new HistoryKeeper(topologies, Duration.ofSeconds(CountHistory.STEP_SECS));
    private final long startedNanos = System.nanoTime();
    private volatile InvalidTopologyException lastRefusal;
    private volatile boolean closed;

    /** The blob store for topologies; null while no port is open. */
    private volatile NimbusBlobs blobs;

    /** Creates a cluster with real time and Storm's defaults. Nothing starts before the first topology. */
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

    /** {@return this cluster and its open guests, which are clusters that a program has created for itself} */
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
     * Starts a topology. When this returns, its spouts are active unless the options say otherwise.
     *
     * @throws AlreadyAliveException when a topology of this name is running or is still being killed
     * @throws InvalidTopologyException when the topology cannot run; the message names the component, the stream and the remedy
     * @throws IllegalArgumentException when the configuration cannot be written as JSON
     * @throws IllegalStateException when the cluster is closed
     */
    @Override
    public LocalTopology submitTopologyWithOpts(
            String topologyName, Map<String, Object> conf, StormTopology topology, SubmitOptions submitOpts)
            throws TException {
        return submit(topologyName, conf, topology, submitOpts, () -> {});
    }

    /**
     * Starts a topology as above; {@code whenGone} runs when nothing is left of the topology, but not if this method throws.
     */
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

    /** Applies options from outside the program over the configuration, as StormSubmitter does for the host's topologies. */
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

    /** {@return Nimbus' interface to this cluster, as from {@code LocalCluster.getNimbus}} */
    public Nimbus.Iface getNimbus() {
        return LocalNimbus.of(this);
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
        awaitGone(beginKill(topologyName, options));
    }

    /**
     * Begins to kill a topology and returns at once, as Nimbus does. A second call may shorten the wait.
     *
     * @param topologyName the topology's name
     * @param options the time to wait for tuples in flight, as above
     * @throws NotAliveException when no topology of this name is alive
     */
    public void requestKill(String topologyName, KillOptions options) throws NotAliveException {
        beginKill(topologyName, options);
    }

    /** Begins to kill a topology. {@return the topology, which has not ended yet} */
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
        Rebalance.of(topologies.named(name), options).carryOut();
    }

    @Override
    @Deprecated
    public void shutdown() {
        close();
    }

    /**
     * Drains and ends all topologies at the same time, including those of guests. Does not wait for topologies that are
     * starting to run: their start is interrupted. Idempotent.
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

    /** {@return the topology as submitted, without system components} */
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

    /** Always throws: there is no state in ZooKeeper. */
    @Override
    public IStormClusterState getClusterState() {
        throw new UnsupportedOperationException(
                "an embedded cluster has no state in ZooKeeper; use getTopologyInfo or getClusterInfo");
    }

    @Override
    public void advanceClusterTime(int secs) throws InterruptedException {
        advanceClusterTime(secs, 1);
    }

    /**
     * Advances simulated time in steps, and waits after each step until the event loops have read the new time.
     *
     * @param secs how far to advance in total, in seconds
     * @param stepSecs the length of one step, in seconds, as in Storm's {@code LocalCluster}
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

    /** {@return null: Storm's tracked topologies are not supported here} */
    @Override
    public String getTrackedId() {
        return null;
    }

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
        return topologies.all().stream().map(RunningTopology::name).toList();
    }

    /** {@return the number of topologies started since the cluster was created, including those of guests} */
    int started() {
        return started.get();
    }

    /** {@return the last refusal of a topology, or null; needed because some programs swallow the exception} */
    InvalidTopologyException lastRefusal() {
        return lastRefusal;
    }

    /** {@return the topologies that have not ended, in the order of submission} */
    List<RunningTopology> running() {
        return topologies.all();
    }

    /** {@return the topology with the given id} */
    RunningTopology running(String id) throws NotAliveException {
        return topologies.withId(id);
    }

    /** {@return the ids of the last started topologies, the newest last} */
    List<String> submittedIds() {
        synchronized (submitting) {
            return new ArrayList<>(ids);
        }
    }

    /** {@return the defaults of every topology's configuration} */
    Map<String, Object> daemonConf() {
        return baseConf;
    }

    /** Sets the blob store for topologies; null for none. */
    void offerBlobs(NimbusBlobs store) {
        blobs = store;
    }

    /** {@return the blob store for topologies; null for none} */
    NimbusBlobs blobs() {
        return blobs;
    }

    /** {@return the log levels that topologies have set} */
    LogLevels logLevels() {
        return logLevels;
    }

    /** Changes log levels where the topology runs: in this process or in its workers. */
    void setLogLevels(String id, LogConfig change) throws NotAliveException {
        RunningTopology topology = topologies.withId(id);
        if (topology.engine() instanceof RemoteEngine remote) {
            remote.setLogLevels(logLevels.keep(id, change));
        } else {
            logLevels.set(id, change);
        }
    }

    /** {@return whether a topology of this name can be submitted now} */
    boolean isFree(String topologyName) {
        synchronized (submitting) {
            return !isClosed() && !topologies.has(topologyName) && !starting.containsKey(topologyName);
        }
    }

    /** {@return the time since the cluster was created, in seconds} */
    int uptimeSecs() {
        return (int) Duration.ofNanos(System.nanoTime() - startedNanos).toSeconds();
    }

    /** Starts a topology without holding a lock: workers may take minutes until they run, and others must not wait. */
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
                        "a topology named '" + name + "' is already running; kill it first or choose another name");
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

    /** Returns whether this cluster or its host is closed. */
    private boolean isClosed() {
        return closed || host != null && host.isClosed();
    }

    private void ended(String name) {
        synchronized (submitting) {
            starting.remove(name);
            if (interrupted.remove(Thread.currentThread())) {
                // The interrupt was meant for this start only: see endStarts.
                Thread.interrupted();
            }
            submitting.notifyAll();
        }
    }

    private static IllegalStateException closed(Throwable cause) {
        return new IllegalStateException("the cluster is closed and accepts no topologies", cause);
    }

    /** Interrupts the threads that are starting topologies, and waits until these starts have ended. */
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

    /** A submitted topology that ends when this is closed. */
    public static final class LocalTopology extends StormTopology implements ILocalTopology {
        private static final long serialVersionUID = 1L;

        private final transient UpdraftCluster cluster;
        private final transient String id;

        private LocalTopology(UpdraftCluster cluster, String id, StormTopology topology) {
            super(topology);
            this.cluster = cluster;
            this.id = id;
        }

        /** Kills the topology without a drain, as Storm does, and waits for its end. Idempotent. */
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

    /** Builds clusters with other settings. Not safe for use by several threads. */
    public static final class Builder {
        private final Map<String, Object> daemonConf = new HashMap<>();
        /** Null if not set: then topologies run in this JVM, or, for a guest, in engines of the host's starter. */
        private EngineStarter engines;

        private boolean simulatedTime;
        private long seed = System.nanoTime();
        private Duration drainLimit = Duration.ofSeconds(5);
        private BiConsumer<String, ErrorReport> onError = (topology, error) -> {};
        private BiConsumer<String, ErrorReport> onDeath = (topology, death) -> {};

        /** Creates a builder with the default settings. */
        public Builder() {}

        /**
         * Sets defaults of every topology's configuration, as {@code storm.yaml} of a cluster's daemons does.
         *
         * @param conf the settings; they replace all those given before
         * @return this
         */
        public Builder withDaemonConf(Map<String, Object> conf) {
            daemonConf.clear();
            daemonConf.putAll(conf);
            return this;
        }

        /**
         * Sets one default of every topology's configuration.
         *
         * @param key the key of the setting
         * @param value the value of the setting
         * @return this
         */
        public Builder withDaemonConf(String key, Object value) {
            daemonConf.put(key, value);
            return this;
        }

        /**
         * Makes {@link #advanceClusterTime(int)} drive time: timeouts, ticks and Storm's {@link Time}, which is global to the
         * process. Time starts at 0 and advances only by that call. As in Storm, messages time out only if {@code
         * topology.enable.message.timeouts} is set.
         *
         * @return this
         */
        public Builder withSimulatedTime() {
            simulatedTime = true;
            return this;
        }

        /**
         * Sets where topologies run; by default they run in this JVM. With another starter, time cannot be simulated.
         *
         * @param starter starts each topology
         * @return this
         */
        public Builder withEngines(EngineStarter starter) {
            engines = Objects.requireNonNull(starter);
            return this;
        }

        /**
         * Sets the seed of every random choice of the engine.
         *
         * @param value the seed
         * @return this
         */
        public Builder withSeed(long value) {
            seed = value;
            return this;
        }

        /**
         * Sets the maximum time that closing the cluster waits for tuples in flight; the default is 5 seconds.
         *
         * @param limit the maximum time; zero for no drain
         * @return this
         */
        public Builder withDrainLimit(Duration limit) {
            drainLimit = Objects.requireNonNull(limit);
            return this;
        }

        /**
         * Adds a receiver of failures of user code, which the engine also logs.
         *
         * @param listener receives the topology's name and the failure, on the thread of the failure; must not block
         * @return this
         */
        public Builder withErrorListener(BiConsumer<String, ErrorReport> listener) {
            onError = Objects.requireNonNull(listener);
            return this;
        }

        /**
         * Adds a receiver of the deaths of engines ({@code updraft.on.error: die}). The topology stays, dead, until it is
         * killed.
         *
         * @param listener receives the topology's name and the failure, on an engine thread; must not block
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

        /** Returns the starter of engines. Simulated time works in this JVM only. */
        private EngineStarter enginesWithin(UpdraftCluster host) {
            if (engines != null) {
                return engines;
            }
            return host == null || simulatedTime ? Engine::start : host.settings.engines();
        }

        /**
         * Returns the defaults as {@code LocalCluster} has them: Storm's defaults, a {@code storm.yaml} if there is one, and
         * settings for one process.
         */
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
