package io.updraft.engine.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.Constants;
import org.apache.storm.Thrift;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;

/** Refuses a topology that cannot run; every message names the component, the stream and the remedy. */
record TopologyCheck(StormTopology topology, Map<String, ComponentCommon> commons) {

    /** Streams that the caller of the engine adds for the system. */
    private static final Set<String> ADDED_STREAMS =
            Set.of(StormCommon.EVENTLOGGER_STREAM_ID, Constants.METRICS_STREAM_ID);

    void check(String name) {
        if (topology.get_spouts_size() == 0) {
            throw new InvalidTopology("topology '" + name + "' has no spout: add one with setSpout");
        }
        for (String id : topology.get_spouts().keySet()) {
            if (topology.get_bolts().containsKey(id)) {
                throw new InvalidTopology(
                        "component '" + id + "' is both a spout and a bolt: give one of them another id");
            }
        }
        commons.forEach(this::checkComponent);
    }

    private void checkComponent(String id, ComponentCommon common) {
        if (id.isEmpty() || SystemId.is(id) && !isAdded(id)) {
            throw new InvalidTopology("component '" + id + "': an id must not be empty,"
                    + " and ids that start with '__' are reserved; choose another id");
        }
        common.get_streams().forEach((stream, info) -> checkStream(id, stream, info));
        if (topology.get_spouts().containsKey(id) && !common.get_inputs().isEmpty()) {
            throw new InvalidTopology("spout '" + id + "' subscribes to a stream: only bolts can subscribe");
        }
        common.get_inputs().forEach((stream, grouping) -> checkInput(id, stream, grouping));
    }

    /** Returns whether this is a component that the caller of the engine adds for the system. */
    private static boolean isAdded(String id) {
        return id.equals(StormCommon.EVENTLOGGER_COMPONENT_ID) || id.startsWith(Constants.METRICS_COMPONENT_ID_PREFIX);
    }

    private static void checkStream(String id, String stream, StreamInfo info) {
        if (SystemId.is(stream) && !ADDED_STREAMS.contains(stream)) {
            throw new InvalidTopology("component '" + id + "' declares stream '" + stream
                    + "': names that start with '__' are reserved; choose another name");
        }
        Set<String> seen = new TreeSet<>();
        for (String field : info.get_output_fields()) {
            if (!seen.add(field)) {
                throw new InvalidTopology("component '" + id + "' declares field '" + field + "' twice on stream '"
                        + stream + "': remove one");
            }
        }
    }

    private void checkInput(String id, GlobalStreamId input, Grouping grouping) {
        String source = input.get_componentId();
        String stream = input.get_streamId();
        ComponentCommon common = commons.get(source);
        String where = "bolt '" + id + "' subscribes to stream '" + stream + "' of component '" + source + "'";
        if (common == null) {
            throw new InvalidTopology(where + ", but there is no such component: the components are " + commons.keySet()
                    + "; correct '" + source + "' or add it");
        }
        StreamInfo info = streamOf(source, stream);
        if (info == null) {
            Set<String> declared = new TreeMap<>(common.get_streams()).keySet();
            throw new InvalidTopology(where + ", but '" + source + "' declares only " + declared
                    + ": subscribe to one of these or declare it in declareOutputFields");
        }
        checkGrouping(where, grouping, info);
    }

    /** Returns a declared or implicit stream of a component; null if there is no such stream. */
    private StreamInfo streamOf(String source, String stream) {
        if (stream.equals(Planner.DEAD_LETTER_STREAM) && topology.get_spouts().containsKey(source)) {
            return new StreamInfo(Planner.DEAD_LETTER_FIELDS.toList(), false);
        }
        if (stream.equals(StormCommon.SYSTEM_STREAM_ID)) {
            // Storm gives this stream to every component; no component emits on it.
            return new StreamInfo(List.of("event"), false);
        }
        return commons.get(source).get_streams().get(stream);
    }

    private static void checkGrouping(String where, Grouping grouping, StreamInfo info) {
        // Whether the stream was declared direct does not matter: in Storm the subscriptions alone decide.
        if (Thrift.groupingType(grouping) != Grouping._Fields.FIELDS || Thrift.isGlobalGrouping(grouping)) {
            return;
        }
        List<String> declared = info.get_output_fields();
        List<String> missing = new ArrayList<>(Thrift.fieldGrouping(grouping));
        missing.removeAll(declared);
        if (!missing.isEmpty()) {
            throw new InvalidTopology(where + " grouped by " + missing + ", but the stream has only the fields "
                    + declared + ": group by one of these");
        }
    }
}
