package org.apache.storm;

import io.updraft.engine.api.TopologyEngine;
import io.updraft.local.Clusters;
import io.updraft.local.TestWait;
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
 * Helpers for tests, under their name in Storm's server, for clusters in this process: {@link LocalCluster} or {@link
 * io.updraft.storm.UpdraftCluster}. Tests that were written for Storm's class run unchanged.
 *
 * <p>Differences from Storm: only threads are started, so that the supervisors and ports of {@code MkClusterParam} have no
 * effect; {@link #completeTopology} returns as soon as no tuple is in flight.
 */
public class Testing {

    /** The default time to wait for conditions, in milliseconds: 10 s, or the environment variable STORM_TEST_TIMEOUT_MS. */
    public static final int TEST_TIMEOUT_MS = TestWait.TIMEOUT_MS;

    /** Creates an instance without use, since all methods are static. Storm's class has this constructor, too. */
    public Testing() {}

    /** A condition, as Storm's {@code Testing.Condition}. */
    @FunctionalInterface
    public interface Condition {

        /** {@return whether the condition holds now} */
        boolean exec();
    }

    /**
     * Runs an action repeatedly while a condition holds.
     *
     * @param condition the condition
     * @param body the action
     * @throws AssertionError when the condition still holds after {@link #TEST_TIMEOUT_MS}
     */
    public static void whileTimeout(Condition condition, Runnable body) {
        whileTimeout(TEST_TIMEOUT_MS, condition, body);
    }

    /**
     * Runs an action repeatedly while a condition holds.
     *
     * @param timeoutMs the maximum time, in milliseconds of real time
     * @param condition the condition
     * @param body the action
     * @throws AssertionError when the condition still holds after that time
     */
    public static void whileTimeout(long timeoutMs, Condition condition, Runnable body) {
        TestWait.whileTimeout(timeoutMs, condition::exec, body);
    }

    /**
     * {@return whether a condition holds for all elements; true if there are none}
     *
     * @param data the elements
     * @param condition the condition
     * @param <T> the type of the elements
     */
    public static <T> boolean isEvery(Collection<T> data, Predicate<T> condition) {
        return data.stream().allMatch(condition);
    }

    /**
     * Runs an action in simulated time.
     *
     * @param body the action
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
     * @param param the configuration of the cluster
     * @param job the test
     */
    public static void withLocalCluster(MkClusterParam param, TestJob job) {
        run(builder(param), job);
    }

    /**
     * Runs a test with a cluster whose time advances only when the test advances it.
     *
     * @param job the test
     */
    public static void withSimulatedTimeLocalCluster(TestJob job) {
        withSimulatedTimeLocalCluster(new MkClusterParam(), job);
    }

    /**
     * Runs a test with a cluster whose time advances only when the test advances it.
     *
     * @param param the configuration of the cluster
     * @param job the test
     */
    public static void withSimulatedTimeLocalCluster(MkClusterParam param, TestJob job) {
        run(builder(param).withSimulatedTime(), job);
    }

    /**
     * Runs a test with a cluster of tracked topologies, which the test can wait for. Time is simulated, as in Storm.
     *
     * @param job the test
     */
    public static void withTrackedCluster(TestJob job) {
        withTrackedCluster(new MkClusterParam(), job);
    }

    /**
     * Runs a test with a cluster of tracked topologies, which the test can wait for. Time is simulated, as in Storm.
     *
     * @param param the configuration of the cluster
     * @param job the test
     */
    public static void withTrackedCluster(MkClusterParam param, TestJob job) {
        run(builder(param).withTracked().withSimulatedTime(), job);
    }

    /**
     * Creates a cluster from a map of settings.
     *
     * @param clusterConf {@code daemon-conf}, a map of settings, and {@code nimbus-daemon}, whether to open a port; {@code
     *     supervisors}, {@code ports-per-supervisor} and {@code supervisor-slot-port-min} have no effect
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
     * {@return one of the counts of a tracked cluster, over all its topologies}
     *
     * @param id the cluster's {@link ILocalCluster#getTrackedId()}
     * @param key {@code spout-emitted}, {@code transferred} or {@code processed}
     */
    public static int globalAmt(String id, String key) {
        return Clusters.count(LocalCluster.tracked(id).updraft(), key);
    }

    /**
     * {@return a topology that a test can wait for; submit {@link TrackedTopology#getTopology()}}
     *
     * @param cluster the cluster that will run it
     * @param topology the topology
     */
    public static TrackedTopology mkTrackedTopology(ILocalCluster cluster, StormTopology topology) {
        return new TrackedTopology(topology, cluster);
    }

    /**
     * {@return a topology that a test can wait for and whose tuples are captured}
     *
     * @param cluster the cluster that will run it
     * @param topology the topology
     */
    public static CapturedTopology<TrackedTopology> trackAndCaptureTopology(
            ILocalCluster cluster, StormTopology topology) {
        CapturedTopology<StormTopology> captured = captureTopology(topology);
        return new CapturedTopology<>(new TrackedTopology(captured.topology, cluster), captured.capturer);
    }

    /**
     * Waits until one more tuple of a spout is processed completely.
     *
     * @param captured the topology
     */
    public static void trackedWait(CapturedTopology<TrackedTopology> captured) {
        captured.topology.trackedWait();
    }

    /**
     * Waits until the given number of further spout tuples are processed completely.
     *
     * @param captured the topology
     * @param amount the number of tuples
     */
    public static void trackedWait(CapturedTopology<TrackedTopology> captured, Integer amount) {
        captured.topology.trackedWait(amount);
    }

    /**
     * Waits until the given number of further spout tuples are processed completely.
     *
     * @param captured the topology
     * @param amount the number of tuples
     * @param timeoutMs the maximum time, in milliseconds
     */
    public static void trackedWait(CapturedTopology<TrackedTopology> captured, Integer amount, Integer timeoutMs) {
        captured.topology.trackedWait(amount, timeoutMs);
    }

    /**
     * Waits until one more tuple of a spout is processed completely.
     *
     * @param topology the topology
     */
    public static void trackedWait(TrackedTopology topology) {
        topology.trackedWait();
    }

    /**
     * Waits until the given number of further spout tuples are processed completely.
     *
     * @param topology the topology
     * @param amount the number of tuples
     */
    public static void trackedWait(TrackedTopology topology, Integer amount) {
        topology.trackedWait(amount);
    }

    /**
     * Waits until the given number of further spout tuples are processed completely.
     *
     * @param topology the topology
     * @param amount the number of tuples
     * @param timeoutMs the maximum time, in milliseconds
     */
    public static void trackedWait(TrackedTopology topology, Integer amount, Integer timeoutMs) {
        topology.trackedWait(amount, timeoutMs);
    }

    /**
     * {@return a copy of a topology with one more bolt, which captures every tuple}
     *
     * @param topology the topology, which does not change
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
     * Runs a topology until its spouts are exhausted, and returns every tuple.
     *
     * @param cluster the cluster that runs it
     * @param topology the topology; each spout must be a {@link CompletableSpout}
     * @return tuples by the component that emitted them
     * @throws TException when the topology is refused
     * @throws InterruptedException when the calling thread is interrupted
     * @throws AssertionError when the topology takes longer than {@link #TEST_TIMEOUT_MS}
     */
    public static Map<String, List<FixedTuple>> completeTopology(ILocalCluster cluster, StormTopology topology)
            throws TException, InterruptedException {
        return completeTopology(cluster, topology, new CompleteTopologyParam());
    }

    /**
     * Runs a topology until its spouts are exhausted, and returns every tuple.
     *
     * @param cluster the cluster that runs it
     * @param topology the topology; each spout must be a {@link CompletableSpout}, or replaced by mocked sources
     * @param param the parameters of the run
     * @return tuples by the component that emitted them
     * @throws TException when the topology is refused
     * @throws InterruptedException when the calling thread is interrupted
     * @throws IllegalArgumentException when a spout is not a {@link CompletableSpout}
     * @throws AssertionError when the topology exceeds the timeout of the parameters
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
        cluster.killTopologyWithOpts(name, LocalCluster.KILL_NOW);
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
                throw new IllegalArgumentException("there is no spout '" + id + "' to mock; the spouts are "
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
                                + ") is not a CompletableSpout: mock the spout, or implement that interface");
            }
            spouts.add(completable);
        });
        return spouts;
    }

    private static boolean isIdle(TopologyEngine engine) {
        return TestWait.waiting(() -> engine.awaitIdle(Duration.ofMillis(1)));
    }

    private static void pause(ILocalCluster cluster) {
        TestWait.waiting(() -> {
            simulateWait(cluster);
            Thread.sleep(1);
            return null;
        });
    }

    /**
     * Advances simulated time by 10 s; does nothing in real time.
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
     * Advances simulated time.
     *
     * @param cluster the cluster
     * @param secs how far to advance, in seconds
     * @throws InterruptedException when the calling thread is interrupted
     */
    public static void advanceClusterTime(ILocalCluster cluster, Integer secs) throws InterruptedException {
        cluster.advanceClusterTime(secs);
    }

    /**
     * Advances simulated time in steps.
     *
     * @param cluster the cluster
     * @param secs how far to advance in total, in seconds
     * @param step the length of a step, in seconds
     * @throws InterruptedException when the calling thread is interrupted
     */
    public static void advanceClusterTime(ILocalCluster cluster, Integer secs, Integer step)
            throws InterruptedException {
        cluster.advanceClusterTime(secs, step);
    }

    /**
     * {@return the values that a component has emitted on its default stream, in the order of their capture}
     *
     * @param results the result of {@link #completeTopology}
     * @param component the component
     */
    public static List<List<Object>> readTuples(Map<String, List<FixedTuple>> results, String component) {
        return readTuples(results, component, Utils.DEFAULT_STREAM_ID);
    }

    /**
     * {@return the values that a component has emitted on a stream, in the order of their capture}
     *
     * @param results the result of {@link #completeTopology}
     * @param component the component
     * @param stream the stream
     */
    public static List<List<Object>> readTuples(
            Map<String, List<FixedTuple>> results, String component, String stream) {
        return results.getOrDefault(component, List.of()).stream()
                .filter(tuple -> tuple.stream.equals(stream))
                .map(tuple -> tuple.values)
                .toList();
    }

    /**
     * {@return the number of occurrences of each element}
     *
     * @param elements the elements
     * @param <T> the type of the elements
     */
    public static <T> Map<T, Integer> multiset(Collection<T> elements) {
        Map<T, Integer> counts = new HashMap<>();
        elements.forEach(element -> counts.merge(element, 1, Integer::sum));
        return counts;
    }

    /**
     * {@return whether two collections have the same elements with the same number of occurrences, in any order}
     *
     * @param a the first collection
     * @param b the second collection
     * @param <T> the type of the elements
     */
    public static <T> boolean multiseteq(Collection<T> a, Collection<T> b) {
        return multiset(a).equals(multiset(b));
    }

    /**
     * Creates a tuple for a bolt.
     *
     * @param values the tuple's values; the fields are field1, field2, ...
     * @return the tuple, from the component {@code component}
     */
    public static Tuple testTuple(List<Object> values) {
        return testTuple(values, new MkTupleParam());
    }

    /**
     * Creates a tuple for a bolt.
     *
     * @param values the tuple's values
     * @param param the source and the fields of the tuple
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
     * A topology whose tuples are captured.
     *
     * @param <T> the type of the topology: plain or tracked
     */
    public static final class CapturedTopology<T> {

        /** The topology. */
        public final T topology;

        /** The bolt with the captured tuples. */
        public final TupleCaptureBolt capturer;

        /**
         * Combines a topology and its capturing bolt.
         *
         * @param topology the topology
         * @param capturer the bolt with the captured tuples
         */
        public CapturedTopology(T topology, TupleCaptureBolt capturer) {
            this.topology = topology;
            this.capturer = capturer;
        }
    }
}
