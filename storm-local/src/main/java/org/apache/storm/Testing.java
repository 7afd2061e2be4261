package org.apache.storm;

import io.updraft.engine.TopologyEngine;
import io.updraft.local.Clusters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.scheduler.INimbus;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.CompletableSpout;
import org.apache.storm.testing.CompleteTopologyParam;
import org.apache.storm.testing.FixedTuple;
import org.apache.storm.testing.FixedTupleSpout;
import org.apache.storm.testing.MkClusterParam;
import org.apache.storm.testing.MkTupleParam;
import org.apache.storm.testing.TestJob;
import org.apache.storm.testing.TrackedTopology;
import org.apache.storm.testing.TupleCaptureBolt;
import org.apache.storm.thrift.TException;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;

/**
 * Helpers of tests, under the name that they have in Storm's server, over clusters that run in this process: {@link LocalCluster}, or
 * {@link io.updraft.storm.UpdraftCluster}. Tests that were written for Storm's run unchanged.
 *
 * <p>Differences: nothing is started but threads, so that {@code MkClusterParam}'s supervisors and ports mean nothing;
 * {@link #completeTopology} returns as soon as nothing is in flight.
 */
public class Testing {

    /** How long is waited for conditions, milliseconds: 10 s, or what the environment's STORM_TEST_TIMEOUT_MS says. */
    public static final int TEST_TIMEOUT_MS = timeoutOf(System.getenv("STORM_TEST_TIMEOUT_MS"));

    private static final int DEFAULT_TIMEOUT_MS = 10_000;

    /** Creates nothing of use: all methods are static. Storm's has this constructor, too. */
    public Testing() {}

    /** Something to be true or not, as Storm's {@code Testing.Condition}. */
    @FunctionalInterface
    public interface Condition {

        /** {@return whether it is so now} */
        boolean exec();
    }

    private static int timeoutOf(String setting) {
        try {
            return setting == null ? DEFAULT_TIMEOUT_MS : Integer.parseInt(setting);
        } catch (NumberFormatException e) {
            return DEFAULT_TIMEOUT_MS;
        }
    }

    /**
     * Does something again and again for as long as a condition holds.
     *
     * @param condition while this is true
     * @param body what to do
     * @throws AssertionError when it still holds after {@link #TEST_TIMEOUT_MS}
     */
    public static void whileTimeout(Condition condition, Runnable body) {
        whileTimeout(TEST_TIMEOUT_MS, condition, body);
    }

    /**
     * Does something again and again for as long as a condition holds.
     *
     * @param timeoutMs for how long at the most, milliseconds of real time
     * @param condition while this is true
     * @param body what to do
     * @throws AssertionError when it still holds then
     */
    public static void whileTimeout(long timeoutMs, Condition condition, Runnable body) {
        long end = System.nanoTime() + Duration.ofMillis(timeoutMs).toNanos();
        while (condition.exec()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Test timed out (" + timeoutMs + "ms)");
            }
            body.run();
        }
    }

    /**
     * Whether something is so of all elements.
     *
     * @param data the elements
     * @param condition what is asked of each
     * @param <T> their type
     * @return whether there is none of which it is not so
     */
    public static <T> boolean isEvery(Collection<T> data, Predicate<T> condition) {
        return data.stream().allMatch(condition);
    }

    /**
     * Does something in simulated time.
     *
     * @param body what to do
     */
    public static void withSimulatedTime(Runnable body) {
        Time.SimulatedTime simulated = new Time.SimulatedTime();
        try {
            body.run();
        } finally {
            simulated.close();
        }
    }

    /**
     * Runs a test with a cluster.
     *
     * @param job the test
     */
    public static void withLocalCluster(TestJob job) {
        withLocalCluster(new MkClusterParam(), job);
    }

    /**
     * Runs a test with a cluster.
     *
     * @param param its configuration
     * @param job the test
     */
    public static void withLocalCluster(MkClusterParam param, TestJob job) {
        run(builder(param), job);
    }

    /**
     * Runs a test with a cluster whose time moves on when the test says so.
     *
     * @param job the test
     */
    public static void withSimulatedTimeLocalCluster(TestJob job) {
        withSimulatedTimeLocalCluster(new MkClusterParam(), job);
    }

    /**
     * Runs a test with a cluster whose time moves on when the test says so.
     *
     * @param param its configuration
     * @param job the test
     */
    public static void withSimulatedTimeLocalCluster(MkClusterParam param, TestJob job) {
        run(builder(param).withSimulatedTime(), job);
    }

    /**
     * Runs a test with a cluster whose topologies can be waited for; time is simulated, as in Storm.
     *
     * @param job the test
     */
    public static void withTrackedCluster(TestJob job) {
        withTrackedCluster(new MkClusterParam(), job);
    }

    /**
     * Runs a test with a cluster whose topologies can be waited for; time is simulated, as in Storm.
     *
     * @param param its configuration
     * @param job the test
     */
    public static void withTrackedCluster(MkClusterParam param, TestJob job) {
        run(builder(param).withTracked().withSimulatedTime(), job);
    }

    /**
     * Makes a cluster as a map says.
     *
     * @param clusterConf {@code daemon-conf}, a map of settings, and {@code nimbus-daemon}, whether a port is opened; {@code supervisors},
     *     {@code ports-per-supervisor} and {@code supervisor-slot-port-min} limit nothing
     * @return the cluster
     */
    public static ILocalCluster getLocalCluster(Map<String, Object> clusterConf) {
        Map<String, Object> conf = new HashMap<>();
        if (clusterConf.get("daemon-conf") instanceof Map<?, ?> given) {
            given.forEach((key, value) -> conf.put(String.valueOf(key), value));
        }
        try {
            return new LocalCluster.Builder()
                    .withSupervisors(number(clusterConf, "supervisors").intValue())
                    .withPortsPerSupervisor(
                            number(clusterConf, "ports-per-supervisor").intValue())
                    .withSupervisorSlotPortMin(number(clusterConf, "supervisor-slot-port-min"))
                    .withINimbus((INimbus) clusterConf.get("inimbus"))
                    .withNimbusDaemon((Boolean) clusterConf.get("nimbus-daemon"))
                    .withDaemonConf(conf)
                    .build();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    private static Number number(Map<String, Object> conf, String key) {
        return (Number) conf.getOrDefault(key, 1);
    }

    private static LocalCluster.Builder builder(MkClusterParam param) {
        return new LocalCluster.Builder()
                .withDaemonConf(param.getDaemonConf())
                .withNimbusDaemon(param.isNimbusDaemon());
    }

    private static void run(LocalCluster.Builder builder, TestJob job) {
        try (LocalCluster cluster = builder.build()) {
            job.run(cluster);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    /**
     * One of the counts of a tracked cluster.
     *
     * @param id the cluster's {@link ILocalCluster#getTrackedId()}
     * @param key {@code spout-emitted}, {@code transferred} or {@code processed}
     * @return the count over all its topologies
     */
    public static int globalAmt(String id, String key) {
        return Clusters.count(LocalCluster.tracked(id).updraft(), key);
    }

    /**
     * Makes a topology that can be waited for.
     *
     * @param cluster where it will run
     * @param topology the topology
     * @return its tracker; submit {@link TrackedTopology#getTopology()}
     */
    public static TrackedTopology mkTrackedTopology(ILocalCluster cluster, StormTopology topology) {
        return new TrackedTopology(topology, cluster);
    }

    /**
     * Makes a topology that can be waited for and whose tuples are kept.
     *
     * @param cluster where it will run
     * @param topology the topology
     * @return its tracker and its tuples
     */
    public static CapturedTopology<TrackedTopology> trackAndCaptureTopology(
            ILocalCluster cluster, StormTopology topology) {
        CapturedTopology<StormTopology> captured = captureTopology(topology);
        return new CapturedTopology<>(new TrackedTopology(captured.topology, cluster), captured.capturer);
    }

    /**
     * Waits until one tuple more of a spout is processed.
     *
     * @param captured the topology
     */
    public static void trackedWait(CapturedTopology<TrackedTopology> captured) {
        captured.topology.trackedWait();
    }

    /**
     * Waits until so many more tuples of spouts are processed.
     *
     * @param captured the topology
     * @param amount how many
     */
    public static void trackedWait(CapturedTopology<TrackedTopology> captured, Integer amount) {
        captured.topology.trackedWait(amount);
    }

    /**
     * Waits until so many more tuples of spouts are processed.
     *
     * @param captured the topology
     * @param amount how many
     * @param timeoutMs how long to wait, milliseconds
     */
    public static void trackedWait(CapturedTopology<TrackedTopology> captured, Integer amount, Integer timeoutMs) {
        captured.topology.trackedWait(amount, timeoutMs);
    }

    /**
     * Waits until one tuple more of a spout is processed whole.
     *
     * @param topology the topology
     */
    public static void trackedWait(TrackedTopology topology) {
        topology.trackedWait();
    }

    /**
     * Waits until so many more tuples of spouts are processed whole.
     *
     * @param topology the topology
     * @param amount how many
     */
    public static void trackedWait(TrackedTopology topology, Integer amount) {
        topology.trackedWait(amount);
    }

    /**
     * Waits until so many more tuples of spouts are processed whole.
     *
     * @param topology the topology
     * @param amount how many
     * @param timeoutMs how long to wait, milliseconds
     */
    public static void trackedWait(TrackedTopology topology, Integer amount, Integer timeoutMs) {
        topology.trackedWait(amount, timeoutMs);
    }

    /**
     * Makes a topology of which every tuple is kept.
     *
     * @param topology the topology; it stays as it is
     * @return a copy with one more bolt, and that bolt
     */
    public static CapturedTopology<StormTopology> captureTopology(StormTopology topology) {
        StormTopology copy = topology.deepCopy();
        Map<GlobalStreamId, Grouping> inputs = new HashMap<>();
        copy.get_spouts().forEach((id, spout) -> subscribe(id, spout.get_common(), inputs));
        copy.get_bolts().forEach((id, bolt) -> subscribe(id, bolt.get_common(), inputs));
        TupleCaptureBolt capturer = new TupleCaptureBolt();
        copy.put_to_bolts(
                UUID.randomUUID().toString(),
                new Bolt(
                        Thrift.serializeComponentObject(capturer),
                        Thrift.prepareComponentCommon(inputs, new HashMap<>(), null)));
        return new CapturedTopology<>(copy, capturer);
    }

    private static void subscribe(String id, ComponentCommon common, Map<GlobalStreamId, Grouping> inputs) {
        common.get_streams()
                .forEach((stream, info) -> inputs.put(
                        new GlobalStreamId(id, stream),
                        info.is_direct() ? Thrift.prepareDirectGrouping() : Thrift.prepareGlobalGrouping()));
    }

    /**
     * Runs a topology until its spouts are done, and returns every tuple.
     *
     * @param cluster where to run it
     * @param topology the topology; each spout must be a {@link CompletableSpout}
     * @return tuples by the component that emitted them
     * @throws TException when the topology is refused
     * @throws InterruptedException when the calling thread is interrupted
     * @throws AssertionError when it takes longer than {@link #TEST_TIMEOUT_MS}
     */
    public static Map<String, List<FixedTuple>> completeTopology(ILocalCluster cluster, StormTopology topology)
            throws TException, InterruptedException {
        return completeTopology(cluster, topology, new CompleteTopologyParam());
    }

    /**
     * Runs a topology until its spouts are done, and returns every tuple.
     *
     * @param cluster where to run it
     * @param topology the topology; each spout must be a {@link CompletableSpout}, or replaced by mocked sources
     * @param param how to run it
     * @return tuples by the component that emitted them
     * @throws TException when the topology is refused
     * @throws InterruptedException when the calling thread is interrupted
     * @throws IllegalArgumentException when a spout can tell nobody that it is done
     * @throws AssertionError when it takes too long
     */
    public static Map<String, List<FixedTuple>> completeTopology(
            ILocalCluster cluster, StormTopology topology, CompleteTopologyParam param)
            throws TException, InterruptedException {
        CapturedTopology<StormTopology> captured = captureTopology(topology);
        mock(captured.topology, param);
        List<CompletableSpout> spouts = completable(captured.topology);
        spouts.forEach(CompletableSpout::startup);
        String name = param.getTopologyName() == null ? "topologytest-" + UUID.randomUUID() : param.getTopologyName();
        cluster.submitTopology(name, param.getStormConf(), captured.topology);
        TopologyEngine engine = Clusters.behind(cluster).engine(name);
        whileTimeout(
                param.getTimeoutMs(),
                () -> !spouts.stream().allMatch(CompletableSpout::isExhausted) || !isIdle(engine),
                () -> pause(cluster));
        KillOptions now = new KillOptions();
        now.set_wait_secs(0);
        cluster.killTopologyWithOpts(name, now);
        if (param.getCleanupState()) {
            spouts.forEach(CompletableSpout::clean);
            return captured.capturer.getAndRemoveResults();
        }
        return captured.capturer.getAndClearResults();
    }

    private static void mock(StormTopology topology, CompleteTopologyParam param) {
        param.getMockedSources().getData().forEach((id, tuples) -> {
            SpoutSpec spout = topology.get_spouts().get(id);
            if (spout == null) {
                throw new IllegalArgumentException("there is no spout '" + id + "' to mock; there is "
                        + String.join(", ", topology.get_spouts().keySet()));
            }
            spout.set_spout_object(Thrift.serializeComponentObject(new FixedTupleSpout(tuples)));
        });
    }

    private static List<CompletableSpout> completable(StormTopology topology) {
        List<CompletableSpout> spouts = new ArrayList<>();
        topology.get_spouts().forEach((id, spec) -> {
            Object spout = Thrift.deserializeComponentObject(spec.get_spout_object());
            if (!(spout instanceof CompletableSpout completable)) {
                throw new IllegalArgumentException(
                        "spout '" + id + "' (" + spout.getClass().getName()
                                + ") does not tell when it is done: mock it, or let it be a CompletableSpout");
            }
            spouts.add(completable);
        });
        return spouts;
    }

    private static boolean isIdle(TopologyEngine engine) {
        try {
            return engine.awaitIdle(Duration.ofMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    private static void pause(ILocalCluster cluster) {
        try {
            simulateWait(cluster);
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /**
     * Moves simulated time on by 10 s; does nothing when time is real.
     *
     * @param cluster the cluster
     * @throws InterruptedException when the calling thread is interrupted
     */
    public static void simulateWait(ILocalCluster cluster) throws InterruptedException {
        if (Time.isSimulating()) {
            cluster.advanceClusterTime(10);
        }
    }

    /**
     * Moves simulated time on.
     *
     * @param cluster the cluster
     * @param secs how far, seconds
     * @throws InterruptedException when the calling thread is interrupted
     */
    public static void advanceClusterTime(ILocalCluster cluster, Integer secs) throws InterruptedException {
        cluster.advanceClusterTime(secs);
    }

    /**
     * Moves simulated time on in steps.
     *
     * @param cluster the cluster
     * @param secs how far in all, seconds
     * @param step the length of a step, seconds
     * @throws InterruptedException when the calling thread is interrupted
     */
    public static void advanceClusterTime(ILocalCluster cluster, Integer secs, Integer step)
            throws InterruptedException {
        cluster.advanceClusterTime(secs, step);
    }

    /**
     * The values that a component has emitted on its default stream.
     *
     * @param results of {@link #completeTopology}
     * @param component the component
     * @return values in the order of their capture
     */
    public static List<List<Object>> readTuples(Map<String, List<FixedTuple>> results, String component) {
        return readTuples(results, component, Utils.DEFAULT_STREAM_ID);
    }

    /**
     * The values that a component has emitted on a stream.
     *
     * @param results of {@link #completeTopology}
     * @param component the component
     * @param stream the stream
     * @return values in the order of their capture
     */
    public static List<List<Object>> readTuples(
            Map<String, List<FixedTuple>> results, String component, String stream) {
        return results.getOrDefault(component, List.of()).stream()
                .filter(tuple -> tuple.stream.equals(stream))
                .map(tuple -> tuple.values)
                .toList();
    }

    /**
     * Counts elements.
     *
     * @param elements any
     * @param <T> their type
     * @return how often each is there
     */
    public static <T> Map<T, Integer> multiset(Collection<T> elements) {
        Map<T, Integer> counts = new HashMap<>();
        elements.forEach(element -> counts.merge(element, 1, Integer::sum));
        return counts;
    }

    /**
     * Whether two collections have the same elements as often each, in any order.
     *
     * @param a one
     * @param b the other
     * @param <T> the type of elements
     * @return whether they are alike
     */
    public static <T> boolean multiseteq(Collection<T> a, Collection<T> b) {
        return multiset(a).equals(multiset(b));
    }

    /**
     * Makes a tuple to hand to a bolt.
     *
     * @param values its values; its fields are field1, field2, ...
     * @return the tuple, from the component {@code component}
     */
    public static Tuple testTuple(List<Object> values) {
        return testTuple(values, new MkTupleParam());
    }

    /**
     * Makes a tuple to hand to a bolt.
     *
     * @param values its values
     * @param param where it comes from, and its fields
     * @return the tuple
     */
    public static Tuple testTuple(List<Object> values, MkTupleParam param) {
        String stream = param.getStream() == null ? Utils.DEFAULT_STREAM_ID : param.getStream();
        String component = param.getComponent() == null ? "component" : param.getComponent();
        Map<String, Map<String, Fields>> fields = Map.of(component, Map.of(stream, new Fields(fields(values, param))));
        TopologyContext context = new TopologyContext(
                null,
                ConfigUtils.readStormConfig(),
                new HashMap<>(Map.of(1, component)),
                null,
                fields,
                null,
                "test-storm-id",
                null,
                null,
                1,
                null,
                null,
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                new HashMap<>(),
                new AtomicBoolean(false),
                null);
        return new TupleImpl(context, values, component, 1, stream);
    }

    private static List<String> fields(List<Object> values, MkTupleParam param) {
        if (param.getFields() != null) {
            return param.getFields();
        }
        List<String> fields = new ArrayList<>();
        for (int i = 1; i <= values.size(); i++) {
            fields.add("field" + i);
        }
        return fields;
    }

    /**
     * A topology whose tuples are all kept.
     *
     * @param <T> the topology's kind: plain, or tracked
     */
    public static final class CapturedTopology<T> {

        /** The topology. */
        public final T topology;

        /** Has the tuples. */
        public final TupleCaptureBolt capturer;

        /**
         * Joins the two.
         *
         * @param topology the topology
         * @param capturer has the tuples
         */
        public CapturedTopology(T topology, TupleCaptureBolt capturer) {
            this.topology = topology;
            this.capturer = capturer;
        }
    }
}
