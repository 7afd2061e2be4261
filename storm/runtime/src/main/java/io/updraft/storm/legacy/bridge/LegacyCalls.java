package io.updraft.storm.legacy.bridge;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.ILocalCluster;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.spout.MultiScheme;
import org.apache.storm.spout.Scheme;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.thrift.TException;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.ReflectionUtils;
import org.apache.storm.utils.Utils;

/**
 * Methods of Storm 0.9 that Storm 2 lacks. A method of an instance has the instance as an additional first parameter; otherwise
 * names and types are those of Storm 0.9, by which a converted call finds them.
 */
public final class LegacyCalls {
    private LegacyCalls() {}

    public static void submitTopology(String name, Map<String, Object> conf, StormTopology topology) throws TException {
        StormSubmitter.submitTopology(name, withDefaults(conf), topology);
    }

    public static void submitTopology(
            String name, Map<String, Object> conf, StormTopology topology, SubmitOptions options) throws TException {
        StormSubmitter.submitTopology(name, withDefaults(conf), topology, options);
    }

    public static void submitTopology(
            String name,
            Map<String, Object> conf,
            StormTopology topology,
            SubmitOptions options,
            StormSubmitter.ProgressListener listener)
            throws TException {
        StormSubmitter.submitTopology(name, withDefaults(conf), topology, options, listener);
    }

    public static void submitTopologyAs(
            String name,
            Map<String, Object> conf,
            StormTopology topology,
            SubmitOptions options,
            StormSubmitter.ProgressListener listener,
            String user)
            throws TException {
        StormSubmitter.submitTopologyAs(name, withDefaults(conf), topology, options, listener, user);
    }

    public static void submitTopologyWithProgressBar(String name, Map<String, Object> conf, StormTopology topology)
            throws TException {
        StormSubmitter.submitTopologyWithProgressBar(name, withDefaults(conf), topology);
    }

    public static void submitTopologyWithProgressBar(
            String name, Map<String, Object> conf, StormTopology topology, SubmitOptions options) throws TException {
        StormSubmitter.submitTopologyWithProgressBar(name, withDefaults(conf), topology, options);
    }

    /** Before Storm 2, Java serialized values of classes that were not registered with Kryo. */
    private static Map<String, Object> withDefaults(Map<String, Object> conf) {
        Map<String, Object> whole = new HashMap<>(conf);
        whole.putIfAbsent(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true);
        return whole;
    }

    public static void submitTopology(
            ILocalCluster cluster, String name, Map<String, Object> conf, StormTopology topology) throws TException {
        cluster.submitTopology(name, conf, topology);
    }

    public static void submitTopologyWithOpts(
            ILocalCluster cluster, String name, Map<String, Object> conf, StormTopology topology, SubmitOptions options)
            throws TException {
        cluster.submitTopologyWithOpts(name, conf, topology, options);
    }

    public static Collection<ITaskHook> getHooks(TopologyContext context) {
        return context.getHooks();
    }

    public static GlobalStreamId getSourceGlobalStreamid(Tuple tuple) {
        return tuple.getSourceGlobalStreamId();
    }

    public static List<Object> deserialize(Scheme scheme, byte[] bytes) {
        return scheme.deserialize(ByteBuffer.wrap(bytes));
    }

    public static Iterable<List<Object>> deserialize(MultiScheme scheme, byte[] bytes) {
        return scheme.deserialize(ByteBuffer.wrap(bytes));
    }

    public static Integer getInt(Object value) {
        return ObjectReader.getInt(value);
    }

    public static Integer getInt(Object value, Integer otherwise) {
        return ObjectReader.getInt(value, otherwise);
    }

    public static boolean getBoolean(Object value, boolean otherwise) {
        return ObjectReader.getBoolean(value, otherwise);
    }

    public static Object newInstance(String type) {
        return ReflectionUtils.newInstance(type);
    }

    public static Object deserialize(byte[] bytes) {
        return Utils.javaDeserialize(bytes, Object.class);
    }
}
