package org.apache.storm;

import io.updraft.storm.LocalNimbus;
import io.updraft.storm.NimbusOverride;
import io.updraft.storm.NimbusPort;
import io.updraft.storm.UpdraftCluster;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.daemon.nimbus.TopoCache;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.nimbus.ILeaderElector;
import org.apache.storm.scheduler.INimbus;
import org.apache.storm.security.auth.IGroupMappingServiceProvider;
import org.apache.storm.testing.TrackedTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;

/**
 * A cluster inside this process, under its name in Storm's server. It is an {@link UpdraftCluster}, without daemons,
 * supervisors and ZooKeeper. Programs and tests that were compiled for Storm's class run unchanged.
 *
 * <p>As with Storm's class, {@code StormSubmitter} and {@code NimbusClient} of this process reach the newest open cluster. A
 * kill begins and does not wait for its end. Messages do not time out, unless the cluster was created by {@link
 * #LocalCluster()}. There are no supervisors, so that their number and ports limit nothing. Methods that only tests of Storm's
 * own server need throw an {@link UnsupportedOperationException}. Closing the cluster waits up to 5 seconds for tuples in
 * flight.
 *
 * <p>All methods may be called from any thread.
 */
public class LocalCluster extends LocalNimbus implements ILocalClusterTrackedTopologyAware {

    /** Options of a kill that does not wait for tuples in flight. */
    public static final KillOptions KILL_NOW = killNow();

    private static final int NIMBUS_PORT = 6627;
    private static final String DEFAULT_ZOOKEEPER_PORT = "2181";
    private static final String DEFAULT_TTL_SECS = "20";
    private static final Map<String, LocalCluster> TRACKED = new ConcurrentHashMap<>();

    private final Nimbus nimbus;
    private final UpdraftCluster cluster;
    private final String trackId;
    private final StormMetricsRegistry metrics = new StormMetricsRegistry();

    /** One of these two is null. */
    private final NimbusPort port;

    private final NimbusOverride override;

    /**
     * Creates a cluster in which messages time out.
     *
     * @throws Exception never; declared because Storm's constructor declares it
     */
    public LocalCluster() throws Exception {
        this(new Builder().withDaemonConf(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true));
    }

    /**
     * Creates a cluster whose topologies use the given ZooKeeper, if they need one.
     *
     * @param zkHost the host of the ZooKeeper
     * @param zkPort the port of the ZooKeeper
     * @throws Exception never; declared because Storm's constructor declares it
     */
    public LocalCluster(String zkHost, Long zkPort) throws Exception {
        this(new Builder()
                .withDaemonConf(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true)
                .withDaemonConf(Config.STORM_ZOOKEEPER_SERVERS, List.of(zkHost))
                .withDaemonConf(Config.STORM_ZOOKEEPER_PORT, zkPort));
    }

    private LocalCluster(Builder builder) throws IOException {
        this(builder, builder.cluster());
    }

    private LocalCluster(Builder builder, UpdraftCluster cluster) throws IOException {
        super(cluster);
        this.cluster = cluster;
        nimbus = new Nimbus(cluster);
        trackId = builder.trackId;
        port = builder.nimbusDaemon ? open(cluster) : null;
        override = builder.nimbusDaemon ? null : NimbusOverride.open(nimbus);
        if (trackId != null) {
            TRACKED.put(trackId, this);
        }
    }

    private static NimbusPort open(UpdraftCluster cluster) throws IOException {
        int number = ObjectReader.getInt(cluster.getDaemonConf().get(Config.NIMBUS_THRIFT_PORT), NIMBUS_PORT);
        try {
            return NimbusPort.open(cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private static KillOptions killNow() {
        KillOptions now = new KillOptions();
        now.set_wait_secs(0);
        return now;
    }

    /**
     * Runs a job while a cluster and DRPC in this process stand in for remote ones.
     *
     * @param job the job
     * @param ttlSec how long the cluster lives on after the job has returned, in seconds
     * @param <T> the type of the job's result
     * @return the job's result
     * @throws Exception when the job throws it
     */
    public static <T> T withLocalModeOverride(Callable<T> job, long ttlSec) throws Exception {
        return withLocalModeOverride(job, ttlSec, null);
    }

    /**
     * Runs a job while a cluster and DRPC in this process stand in for remote ones.
     *
     * @param job the job
     * @param ttlSec how long the cluster lives on after the job has returned, in seconds
     * @param daemonConf defaults of the topologies' configuration; null for none
     * @param <T> the type of the job's result
     * @return the job's result
     * @throws Exception when the job throws it
     */
    @SuppressWarnings("try") // The cluster and the override are used by being open.
    public static <T> T withLocalModeOverride(Callable<T> job, long ttlSec, Map<String, Object> daemonConf)
            throws Exception {
        try (LocalCluster cluster = new Builder().withDaemonConf(daemonConf).build();
                LocalDRPC drpc = new LocalDRPC();
                DRPCClient.LocalOverride drpcOverride = new DRPCClient.LocalOverride(drpc)) {
            T result = job.call();
            Thread.sleep(ttlSec * 1000);
            return result;
        }
    }

    /**
     * Runs a program with a cluster of this process in place of a remote one, then exits. {@code storm local} calls this
     * method. The system property {@code storm.local.sleeptime} sets how many seconds the topologies live on (default 20).
     * {@code storm.local.zookeeper} sets the ZooKeeper to use.
     *
     * @param args the program's class and its arguments
     * @throws Exception when the program throws it
     */
    public static void main(String[] args) throws Exception {
        if (args.length < 1) {
            throw new IllegalArgumentException("No class was specified to run");
        }
        Method main = Class.forName(args[0], true, Thread.currentThread().getContextClassLoader())
                .getDeclaredMethod("main", String[].class);
        String[] own = Arrays.copyOfRange(args, 1, args.length);
        long ttl = Long.parseLong(System.getProperty("storm.local.sleeptime", DEFAULT_TTL_SECS));
        withLocalModeOverride(() -> main.invoke(null, (Object) own), ttl, zooKeeperOf("storm.local.zookeeper"));
        System.exit(0);
    }

    private static Map<String, Object> zooKeeperOf(String property) {
        String address = System.getProperty(property);
        if (address == null) {
            return null;
        }
        String[] parts = (address + ":" + DEFAULT_ZOOKEEPER_PORT).split(":");
        return Map.of(
                Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true,
                Config.STORM_ZOOKEEPER_SERVERS, List.of(parts[0]),
                Config.STORM_ZOOKEEPER_PORT, Long.parseLong(parts[1]));
    }

    /** {@return the cluster behind this one} */
    public UpdraftCluster updraft() {
        return cluster;
    }

    /** {@return Nimbus' interface to this cluster} */
    public Nimbus getNimbus() {
        return nimbus;
    }

    /** {@return an empty registry: there are no daemons to measure} */
    public StormMetricsRegistry getMetricRegistry() {
        return metrics;
    }

    /** {@return a copy of the defaults of the topologies' configuration} */
    public Map<String, Object> getDaemonConf() {
        return cluster.getDaemonConf();
    }

    @Override
    public LocalTopology submitTopology(String topologyName, Map<String, Object> conf, StormTopology topology)
            throws TException {
        LocalTopology submitted =
                submitTopologyWithOpts(topologyName, conf, topology, new SubmitOptions(TopologyInitialStatus.ACTIVE));
        notifyHook(topologyName, conf, topology);
        return submitted;
    }

    @Override
    public LocalTopology submitTopology(String topologyName, Map<String, Object> conf, TrackedTopology topology)
            throws TException {
        return submitTopology(topologyName, conf, topology.getTopology());
    }

    @Override
    public LocalTopology submitTopologyWithOpts(
            String topologyName, Map<String, Object> conf, StormTopology topology, SubmitOptions submitOpts)
            throws TException {
        cluster.submitTopologyWithOpts(topologyName, conf, topology, submitOpts);
        return new LocalTopology(topologyName, topology);
    }

    @Override
    public LocalTopology submitTopologyWithOpts(
            String topologyName, Map<String, Object> conf, TrackedTopology topology, SubmitOptions submitOpts)
            throws TException {
        return submitTopologyWithOpts(topologyName, conf, topology.getTopology(), submitOpts);
    }

    /** Notifies the plugin of a topology that was submitted without options, as StormSubmitter does. */
    private void notifyHook(String name, Map<String, Object> conf, StormTopology topology) throws TException {
        Object hook = Utils.getConfiguredClass(conf, Config.STORM_TOPOLOGY_SUBMISSION_NOTIFIER_PLUGIN);
        if (hook != null) {
            try {
                ((ISubmitterHook) hook).notify(cluster.getTopologyInfoByName(name), conf, topology);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("cannot notify the submission plugin of topology '" + name + "'", e);
            }
        }
    }

    @Override
    public void advanceClusterTime(int secs) throws InterruptedException {
        cluster.advanceClusterTime(secs);
    }

    @Override
    public void advanceClusterTime(int secs, int incSecs) throws InterruptedException {
        cluster.advanceClusterTime(secs, incSecs);
    }

    /** Always throws: there is no state in ZooKeeper. */
    @Override
    public IStormClusterState getClusterState() {
        return cluster.getClusterState();
    }

    @Override
    public String getTrackedId() {
        return trackId;
    }

    static LocalCluster tracked(String id) {
        LocalCluster cluster = TRACKED.get(id);
        if (cluster == null) {
            throw new IllegalArgumentException("no tracked cluster with the id '" + id + "' is open");
        }
        return cluster;
    }

    /**
     * {@return the port of this host for Storm's clients}
     *
     * @throws IllegalStateException when the cluster was built without a port
     */
    public int getThriftServerPort() {
        if (port == null) {
            throw new IllegalStateException("this cluster has no port; build it with withNimbusDaemon()");
        }
        return port.address().getPort();
    }

    /**
     * Returns at once: there are no daemons to wait for.
     *
     * @throws InterruptedException never; declared because Storm's method declares it
     */
    public void waitForIdle() throws InterruptedException {}

    /**
     * Returns at once: there are no daemons to wait for.
     *
     * @param timeoutMs ignored
     * @throws InterruptedException never; declared because Storm's method declares it
     */
    public void waitForIdle(long timeoutMs) throws InterruptedException {}

    /**
     * Always throws: there are no supervisors.
     *
     * @return never
     * @throws Exception always
     */
    public Supervisor addSupervisor() throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * Always throws: there are no supervisors.
     *
     * @param ports ignored
     * @return never
     * @throws Exception always
     */
    public Supervisor addSupervisor(Number ports) throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * Always throws: there are no supervisors.
     *
     * @param ports ignored
     * @param id ignored
     * @return never
     * @throws Exception always
     */
    public Supervisor addSupervisor(Number ports, String id) throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * Always throws: there are no supervisors.
     *
     * @param ports ignored
     * @param conf ignored
     * @param id ignored
     * @return never
     * @throws Exception always
     */
    public Supervisor addSupervisor(Number ports, Map<String, Object> conf, String id) throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * {@return null: there are no supervisors}
     *
     * @param id ignored
     */
    public Supervisor getSupervisor(String id) {
        return null;
    }

    /**
     * Always throws: there are no supervisors.
     *
     * @param id ignored
     */
    public void killSupervisor(String id) {
        throw refusal("there are no supervisors");
    }

    private static UnsupportedOperationException refusal(String why) {
        return new UnsupportedOperationException(
                why + ": this LocalCluster is Updraft's and runs topologies in this process");
    }

    @Override
    @Deprecated
    public void shutdown() {
        close();
    }

    /** Drains and ends all topologies at the same time. Idempotent. */
    @Override
    public synchronized void close() {
        if (override != null) {
            override.close();
        }
        cluster.close();
        if (port != null) {
            port.close();
        }
        if (trackId != null) {
            TRACKED.remove(trackId, this);
        }
    }

    /** A running topology that is killed when closed. */
    public class LocalTopology extends StormTopology implements ILocalTopology {
        private static final long serialVersionUID = 1L;
        private final String name;

        /**
         * Creates the handle of a topology.
         *
         * @param topoName the topology's name
         * @param topo the topology
         */
        public LocalTopology(String topoName, StormTopology topo) {
            super(topo);
            name = topoName;
        }

        /** Kills the topology without waiting for tuples in flight. */
        @Override
        public void close() throws TException {
            killTopologyWithOpts(name, KILL_NOW);
        }
    }

    /** Builds clusters with other settings. Not safe for use by several threads. */
    public static class Builder {
        private final Map<String, Object> daemonConf = new HashMap<>();
        private boolean nimbusDaemon;
        private boolean simulatedTime;
        private String trackId;

        /** Creates a builder of a cluster in which messages do not time out. */
        public Builder() {}

        /**
         * Accepts a number of supervisors, which has no effect here.
         *
         * @param supervisors not negative
         * @return this
         */
        public Builder withSupervisors(int supervisors) {
            if (supervisors < 0) {
                throw new IllegalArgumentException("supervisors cannot be negative");
            }
            return this;
        }

        /**
         * Accepts a number of ports, which has no effect here.
         *
         * @param portsPerSupervisor not negative
         * @return this
         */
        public Builder withPortsPerSupervisor(int portsPerSupervisor) {
            if (portsPerSupervisor < 0) {
                throw new IllegalArgumentException("supervisor ports cannot be negative");
            }
            return this;
        }

        /**
         * Accepts the first port of supervisors, which has no effect here.
         *
         * @param minPort positive, or null
         * @return this
         */
        public Builder withSupervisorSlotPortMin(Number minPort) {
            if (minPort != null && minPort.intValue() <= 0) {
                throw new IllegalArgumentException("port must be positive");
            }
            return this;
        }

        /**
         * Sets defaults of the topologies' configuration; they replace all those given before.
         *
         * @param conf the settings; null changes nothing
         * @return this
         */
        public Builder withDaemonConf(Map<String, Object> conf) {
            if (conf != null) {
                daemonConf.clear();
                daemonConf.putAll(conf);
            }
            return this;
        }

        /**
         * Sets one default of the topologies' configuration.
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
         * Opens a port for Storm's clients, {@code nimbus.thrift.port} on the loopback address.
         *
         * @return this
         */
        public Builder withNimbusDaemon() {
            return withNimbusDaemon(true);
        }

        /**
         * Opens a port for Storm's clients, {@code nimbus.thrift.port} on the loopback address.
         *
         * @param daemon whether to open the port; null for no
         * @return this
         */
        public Builder withNimbusDaemon(Boolean daemon) {
            nimbusDaemon = Boolean.TRUE.equals(daemon);
            return this;
        }

        /**
         * Makes {@link #advanceClusterTime(int)} drive time.
         *
         * @return this
         */
        public Builder withSimulatedTime() {
            return withSimulatedTime(true);
        }

        /**
         * Makes {@link #advanceClusterTime(int)} drive time.
         *
         * @param simulate whether to simulate time
         * @return this
         */
        public Builder withSimulatedTime(boolean simulate) {
            simulatedTime = simulate;
            return this;
        }

        /**
         * Sets an id by which {@code Testing.globalAmt} finds the cluster.
         *
         * @param id the id; null for none
         * @return this
         */
        public Builder withTracked(String id) {
            trackId = id;
            return this;
        }

        /**
         * Sets a random id by which {@code Testing.globalAmt} finds the cluster.
         *
         * @return this
         */
        public Builder withTracked() {
            return withTracked(UUID.randomUUID().toString());
        }

        /**
         * Accepts only null: there is no scheduler.
         *
         * @param inimbus must be null
         * @return this
         */
        public Builder withINimbus(INimbus inimbus) {
            return withNone(inimbus, "there is no scheduler");
        }

        /**
         * Accepts only null: there is no authorization.
         *
         * @param groupMapper must be null
         * @return this
         */
        public Builder withGroupMapper(IGroupMappingServiceProvider groupMapper) {
            return withNone(groupMapper, "there is no authorization");
        }

        /**
         * Accepts only null: Storm's Nimbus does not run here.
         *
         * @param nimbusWrapper must be null
         * @return this
         */
        public Builder withNimbusWrapper(UnaryOperator<Nimbus> nimbusWrapper) {
            return withNone(nimbusWrapper, "Storm's Nimbus does not run here");
        }

        /**
         * Accepts only null: there is no blob store of Storm.
         *
         * @param store must be null
         * @return this
         */
        public Builder withBlobStore(BlobStore store) {
            return withNone(store, "there is no blob store of Storm");
        }

        /**
         * Accepts only null: Storm's Nimbus does not run here.
         *
         * @param topoCache must be null
         * @return this
         */
        public Builder withTopoCache(TopoCache topoCache) {
            return withNone(topoCache, "Storm's Nimbus does not run here");
        }

        /**
         * Accepts only null: there is no state in ZooKeeper.
         *
         * @param clusterState must be null
         * @return this
         */
        public Builder withClusterState(IStormClusterState clusterState) {
            return withNone(clusterState, "there is no state in ZooKeeper");
        }

        /**
         * Accepts only null: there is no leader election.
         *
         * @param leaderElector must be null
         * @return this
         */
        public Builder withLeaderElector(ILeaderElector leaderElector) {
            return withNone(leaderElector, "there is no leader election");
        }

        private Builder withNone(Object part, String why) {
            if (part != null) {
                throw refusal(why);
            }
            return this;
        }

        /**
         * {@return a new cluster}
         *
         * @throws Exception when its port cannot be opened
         */
        public LocalCluster build() throws Exception {
            return new LocalCluster(this);
        }

        private UpdraftCluster cluster() {
            Map<String, Object> conf = new HashMap<>(daemonConf);
            conf.putIfAbsent(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
            UpdraftCluster.Builder builder = new UpdraftCluster.Builder().withDaemonConf(conf);
            return (simulatedTime ? builder.withSimulatedTime() : builder).build();
        }
    }
}
