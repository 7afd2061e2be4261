package io.updraft.storm.instrument;

import java.util.Map;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;

/** Adds to a topology the components that Storm adds to it, as far as they mean something here, and takes them away again. */
public final class SystemComponents {

    private SystemComponents() {}

    /**
     * Adds the event logger and the metrics consumers, if the configuration asks for them ({@code
     * topology.eventlogger.executors}, {@code topology.metrics.consumer.register}).
     *
     * @param topology as the user has built it
     * @param conf the whole configuration
     * @return the same topology if there is nothing to add, else a copy
     * @throws IllegalArgumentException when the user has a component or stream of a name that is the system's
     */
    public static StormTopology addTo(StormTopology topology, Map<String, Object> conf) {
        checkNames(topology);
        boolean events = Events.areWanted(conf);
        boolean metrics = Metrics.areConsumed(conf);
        if (!events && !metrics) {
            return topology;
        }
        StormTopology whole = topology.deepCopy();
        if (events) {
            StormCommon.addEventLogger(conf, whole);
        }
        if (metrics) {
            addConsumers(conf, whole);
        }
        return whole;
    }

    /** The system has no component of its own here: another task sends what it has to say. */
    private static void addConsumers(Map<String, Object> conf, StormTopology whole) {
        StormCommon.addMetricComponents(conf, whole);
        StormCommon.addMetricStreams(whole);
        whole.get_bolts()
                .values()
                .forEach(bolt -> bolt.get_common()
                        .get_inputs()
                        .keySet()
                        .removeIf(input -> input.get_componentId().equals(Constants.SYSTEM_COMPONENT_ID)));
    }

    /**
     * Takes away what {@link #addTo} has added: components are told of the topology as it was built, as in Storm.
     *
     * @param topology with the components of the system, or without
     * @return the same topology if it has none, else a copy without
     */
    public static StormTopology removeFrom(StormTopology topology) {
        if (topology.get_bolts().keySet().stream().noneMatch(Utils::isSystemId)) {
            return topology;
        }
        StormTopology users = topology.deepCopy();
        users.get_bolts().keySet().removeIf(Utils::isSystemId);
        users.get_bolts().values().forEach(bolt -> removeStreams(bolt.get_common()));
        users.get_spouts().values().forEach(spout -> removeStreams(spout.get_common()));
        return users;
    }

    private static void removeStreams(ComponentCommon common) {
        common.get_streams().keySet().removeIf(Utils::isSystemId);
    }

    private static void checkNames(StormTopology topology) {
        topology.get_bolts().forEach((id, bolt) -> checkNames(id, bolt.get_common()));
        topology.get_spouts().forEach((id, spout) -> checkNames(id, spout.get_common()));
    }

    private static void checkNames(String id, ComponentCommon common) {
        if (Utils.isSystemId(id)) {
            throw new IllegalArgumentException(
                    "component '" + id + "': ids that start with '__' are the system's; choose another");
        }
        for (String stream : common.get_streams().keySet()) {
            if (Utils.isSystemId(stream)) {
                throw new IllegalArgumentException("component '" + id + "' declares stream '" + stream
                        + "': names that start with '__' are the system's; choose another");
            }
        }
    }
}
