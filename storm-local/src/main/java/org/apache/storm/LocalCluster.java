package org.apache.storm;

import io.updraft.local.ForwardingNimbus;
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
 * A cluster inside this process, under the name that it has in Storm's server: an {@link UpdraftCluster}, with no daemon, no
 * supervisor and no ZooKeeper. Programs and tests that were compiled for Storm's run unchanged.
 *
 * <p>As with Storm's, {@code StormSubmitter} and {@code NimbusClient} of this process reach the newest that is open, a kill begins and
 * does not wait for its end, and, unless the cluster was made by {@link #LocalCluster()}, messages do not time out. Supervisors and their ports
 * limit nothing, since there are none, and what only tests of Storm's own server need is refused with an
 * {@link UnsupportedOperationException}. Closing it waits up to 5 seconds for tuples in flight.
 *
 * <p>All methods may be called from any thread.
 */
public class LocalCluster extends ForwardingNimbus implements ILocalClusterTrackedTopologyAware {

    /** Kills without waiting for tuples in flight. */
    public static final KillOptions KILL_NOW = killNow();

    private static final int NIMBUS_PORT = 6627;
    private static final String DEFAULT_ZOOKEEPER_PORT = "2181";
    private static final String DEFAULT_TTL_SECS = "20";
    private static final Map<String, LocalCluster> TRACKED = new ConcurrentHashMap<>();

    private final Nimbus nimbus;
    private final UpdraftCluster cluster;
    private final String trackId;
    private final StormMetricsRegistry metrics = new StormMetricsRegistry();

    /** Either of these is null. */
    private final NimbusPort port;

    private final NimbusOverride override;

    /**
     * Creates a cluster in which messages time out.
     *
     * @throws Exception never; Storm's does
     */
    public LocalCluster() throws Exception {
        this(new Builder().withDaemonConf(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true));
    }

    /**
     * Creates a cluster whose topologies use a ZooKeeper, if they use one.
     *
     * @param zkHost its host
     * @param zkPort its port
     * @throws Exception never; Storm's does
     */
    public LocalCluster(String zkHost, Long zkPort) throws Exception {
        this(new Builder()
                .withDaemonConf(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true)
                .withDaemonConf(Config.STORM_ZOOKEEPER_SERVERS, List.of(zkHost))
                .withDaemonConf(Config.STORM_ZOOKEEPER_PORT, zkPort));
    }

    private LocalCluster(Builder builder) throws IOException {
        this(builder, new Nimbus(builder.cluster()));
    }

    private LocalCluster(Builder builder, Nimbus nimbus) throws IOException {
        super(nimbus);
        this.nimbus = nimbus;
        cluster = nimbus.updraft();
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
     * Runs something while a cluster and DRPC in this process stand in for remote ones.
     *
     * @param job what to run
     * @param ttlSec how long the cluster lives on when it has returned, seconds
     * @param <T> what it returns
     * @return that
     * @throws Exception what it throws
     */
    public static <T> T withLocalModeOverride(Callable<T> job, long ttlSec) throws Exception {
        return withLocalModeOverride(job, ttlSec, null);
    }

    /**
     * Runs something while a cluster and DRPC in this process stand in for remote ones.
     *
     * @param job what to run
     * @param ttlSec how long the cluster lives on when it has returned, seconds
     * @param daemonConf what lies beneath the configuration of topologies; null for nothing
     * @param <T> what it returns
     * @return that
     * @throws Exception what it throws
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
     * Runs a program with clusters of this process in place of remote ones, and exits: what {@code storm local} calls. The system
     * property {@code storm.local.sleeptime} says how many seconds its topologies live on (20), {@code storm.local.zookeeper} which ZooKeeper to use.
     *
     * @param args the program's class, and its arguments
     * @throws Exception what it throws
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

    /** {@return the cluster behind this} */
    public UpdraftCluster updraft() {
        return cluster;
    }

    /** {@return the calls of Nimbus, answered by this cluster} */
    public Nimbus getNimbus() {
        return nimbus;
    }

    /** {@return an empty registry: there are no daemons to measure} */
    public StormMetricsRegistry getMetricRegistry() {
        return metrics;
    }

    /** {@return what lies beneath the configuration of topologies; a copy} */
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

    /** As StormSubmitter does: the plugin hears of what was submitted without options. */
    private void notifyHook(String name, Map<String, Object> conf, StormTopology topology) throws TException {
        Object hook = Utils.getConfiguredClass(conf, Config.STORM_TOPOLOGY_SUBMISSION_NOTIFIER_PLUGIN);
        if (hook != null) {
            try {
                ((ISubmitterHook) hook).notify(cluster.getTopologyInfoByName(name), conf, topology);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("the plugin could not be told of topology '" + name + "'", e);
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

    /** Refused: there is no ZooKeeper whose state could be shown. */
    @Override
    public IStormClusterState getClusterState() {
        return cluster.getClusterState();
    }

    @Override
    public String getTrackedId() {
        return trackId;
    }

    /** The cluster that tracks under an id. */
    static LocalCluster tracked(String id) {
        LocalCluster cluster = TRACKED.get(id);
        if (cluster == null) {
            throw new IllegalArgumentException("no tracked cluster with the id '" + id + "' is open");
        }
        return cluster;
    }

    /**
     * The port of a cluster that was built with one.
     *
     * @return where Storm's clients find it on this host
     * @throws IllegalStateException when it was built without
     */
    public int getThriftServerPort() {
        if (port == null) {
            throw new IllegalStateException("this cluster has no port; build it with withNimbusDaemon()");
        }
        return port.address().getPort();
    }

    /**
     * Returns at once: there is no daemon that could be at work.
     *
     * @throws InterruptedException never; Storm's does
     */
    public void waitForIdle() throws InterruptedException {}

    /**
     * Returns at once: there is no daemon that could be at work.
     *
     * @param timeoutMs not looked at
     * @throws InterruptedException never; Storm's does
     */
    public void waitForIdle(long timeoutMs) throws InterruptedException {}

    /**
     * Refused: there are no supervisors.
     *
     * @return nothing
     * @throws Exception always
     */
    public Supervisor addSupervisor() throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * Refused: there are no supervisors.
     *
     * @param ports the number of its ports
     * @return nothing
     * @throws Exception always
     */
    public Supervisor addSupervisor(Number ports) throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * Refused: there are no supervisors.
     *
     * @param ports the number of its ports
     * @param id its id
     * @return nothing
     * @throws Exception always
     */
    public Supervisor addSupervisor(Number ports, String id) throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * Refused: there are no supervisors.
     *
     * @param ports the number of its ports
     * @param conf its configuration
     * @param id its id
     * @return nothing
     * @throws Exception always
     */
    public Supervisor addSupervisor(Number ports, Map<String, Object> conf, String id) throws Exception {
        throw refusal("there are no supervisors");
    }

    /**
     * Finds none: there are no supervisors.
     *
     * @param id its id
     * @return null
     */
    public Supervisor getSupervisor(String id) {
        return null;
    }

    /**
     * Refused: there are no supervisors.
     *
     * @param id its id
     */
    public void killSupervisor(String id) {
        throw refusal("there are no supervisors");
    }

    private static UnsupportedOperationException refusal(String why) {
        return new UnsupportedOperationException(
                why + ": this LocalCluster is Updraft's, which runs topologies in this process");
    }

    @Override
    @Deprecated
    public void shutdown() {
        close();
    }

    /** Drains and ends every topology, all at the same time. Idempotent. */
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
         * Creates it.
         *
         * @param topoName its name
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

    /** Builds clusters that differ from the standard one. Not safe for use by several threads. */
    public static class Builder {
        private final Map<String, Object> daemonConf = new HashMap<>();
        private boolean nimbusDaemon;
        private boolean simulatedTime;
        private String trackId;

        /** Creates a builder of a cluster in which messages do not time out. */
        public Builder() {}

        /**
         * Takes a number of supervisors, which limits nothing here.
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
         * Takes a number of ports, which limits nothing here.
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
         * Takes the first port of supervisors, which have none here.
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
         * Puts configuration beneath that of every topology, in place of what was given before.
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
         * @param daemon whether it is to be opened; null for no
         * @return this
         */
        public Builder withNimbusDaemon(Boolean daemon) {
            nimbusDaemon = Boolean.TRUE.equals(daemon);
            return this;
        }

        /**
         * Lets {@link #advanceClusterTime(int)} drive time.
         *
         * @return this
         */
        public Builder withSimulatedTime() {
            return withSimulatedTime(true);
        }

        /**
         * Lets {@link #advanceClusterTime(int)} drive time.
         *
         * @param simulate whether it does
         * @return this
         */
        public Builder withSimulatedTime(boolean simulate) {
            simulatedTime = simulate;
            return this;
        }

        /**
         * Gives the cluster an id by which {@code Testing.globalAmt} finds it.
         *
         * @param id the id; null for none
         * @return this
         */
        public Builder withTracked(String id) {
            trackId = id;
            return this;
        }

        /**
         * Gives the cluster an id by which {@code Testing.globalAmt} finds it.
         *
         * @return this
         */
        public Builder withTracked() {
            return withTracked(UUID.randomUUID().toString());
        }

        /**
         * Refused, but null: nothing is scheduled.
         *
         * @param inimbus null
         * @return this
         */
        public Builder withINimbus(INimbus inimbus) {
            return withNone(inimbus, "nothing is scheduled");
        }

        /**
         * Refused, but null: nobody is authorized.
         *
         * @param groupMapper null
         * @return this
         */
        public Builder withGroupMapper(IGroupMappingServiceProvider groupMapper) {
            return withNone(groupMapper, "nobody is authorized");
        }

        /**
         * Refused, but null: there is no Nimbus of Storm's.
         *
         * @param nimbusWrapper null
         * @return this
         */
        public Builder withNimbusWrapper(UnaryOperator<Nimbus> nimbusWrapper) {
            return withNone(nimbusWrapper, "there is no Nimbus of Storm's");
        }

        /**
         * Refused, but null: there is no Nimbus of Storm's.
         *
         * @param store null
         * @return this
         */
        public Builder withBlobStore(BlobStore store) {
            return withNone(store, "there is no blob store of Storm's");
        }

        /**
         * Refused, but null: there is no Nimbus of Storm's.
         *
         * @param topoCache null
         * @return this
         */
        public Builder withTopoCache(TopoCache topoCache) {
            return withNone(topoCache, "there is no Nimbus of Storm's");
        }

        /**
         * Refused, but null: no state is kept in ZooKeeper.
         *
         * @param clusterState null
         * @return this
         */
        public Builder withClusterState(IStormClusterState clusterState) {
            return withNone(clusterState, "no state is kept in ZooKeeper");
        }

        /**
         * Refused, but null: no leader is elected.
         *
         * @param leaderElector null
         * @return this
         */
        public Builder withLeaderElector(ILeaderElector leaderElector) {
            return withNone(leaderElector, "no leader is elected");
        }

        private Builder withNone(Object part, String why) {
            if (part != null) {
                throw refusal(why);
            }
            return this;
        }

        /**
         * Builds the cluster.
         *
         * @return a new cluster
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
