package io.updraft.storm;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineStarter;
import io.updraft.engine.run.Engine;
import io.updraft.engine.snapshot.ErrorReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.apache.storm.Config;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;

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
 *   <li>{@code StormSubmitter} and {@code NimbusClient} reach the cluster only while a {@link SubmitterRedirect} is open.
 * </ul>
 *
 * <p>A cluster that a program creates while a {@link SubmitterRedirect} is open, as under {@code updraft run}, is a guest of the
 * redirect's cluster. A guest reads the same configuration files and runs its topologies with the engines of the host, unless its
 * builder sets others. It reports failures to the host's listeners too. It is among the host's {@link #clusters()} and ends
 * with the host.
 *
 * <p>All methods may be called from any thread.
 */
public final class UpdraftCluster extends EmbeddedCluster {
    /** The host: the cluster of the open redirect when this one was created; null if there was none. */
    private final UpdraftCluster host;

    private final List<UpdraftCluster> guests = new CopyOnWriteArrayList<>();

    /** Null if the cluster runs on real time. */
    private final SimulatedClock simulated;

    /** Creates a cluster with real time and Storm's defaults. Nothing starts before the first topology. */
    public UpdraftCluster() {
        this(new Builder());
    }

    private UpdraftCluster(Builder builder) {
        this(builder, builder.simulatedTime ? new SimulatedClock() : null, SubmitterRedirect.redirectedTo());
    }

    private UpdraftCluster(Builder builder, SimulatedClock simulated, UpdraftCluster host) {
        super(host, builder.settings(simulated, host == null ? null : host.settings()), builder.baseConf());
        this.simulated = simulated;
        this.host = host;
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
        return new LocalTopology(this, submit(topologyName, conf, topology, submitOpts, () -> {}), topology);
    }

    /** {@return Nimbus' interface to this cluster, as from {@code LocalCluster.getNimbus}} */
    public Nimbus.Iface getNimbus() {
        return LocalNimbus.of(this);
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
        close(settings().drainLimit());
    }

    private void close(Duration drain) {
        end(drain, () -> guests.forEach(guest -> guest.close(drain)));
        if (simulated != null) {
            simulated.close();
        }
        if (host != null) {
            host.guests.remove(this);
        }
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
            simulated.advance(Math.min(stepSecs, left), this::wakeLoops);
        }
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
            cluster.killNow(id);
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

        /** Returns the settings of a cluster within a host, if it has one. Simulated time works in this JVM only. */
        private ClusterSettings settings(SimulatedClock simulated, ClusterSettings host) {
            EngineStarter standard = host == null || simulatedTime ? Engine::start : host.engines();
            return new ClusterSettings(
                    engines == null ? standard : engines,
                    simulated == null ? EngineClock.SYSTEM : simulated,
                    seed,
                    drainLimit,
                    host == null ? onError : host.onError().andThen(onError),
                    host == null ? onDeath : host.onDeath().andThen(onDeath));
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
