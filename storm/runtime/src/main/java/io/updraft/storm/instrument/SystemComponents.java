package io.updraft.storm.instrument;

import io.updraft.storm.instrument.ProgramPlugin.ProgramEventLogger;
import io.updraft.storm.instrument.ProgramPlugin.ProgramMetricsConsumer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;

/** Adds to a topology those of Storm's system components that have a function here, and removes them again. */
public final class SystemComponents {

    private SystemComponents() {}

    /**
     * Adds the event logger and the metrics consumers, if the configuration has them ({@code topology.eventlogger.executors},
     * {@code topology.metrics.consumer.register}).
     *
     * @param topology the topology as built by the user
     * @param conf the whole configuration
     * @return the same topology if there is nothing to add, else a copy
     * @throws IllegalArgumentException when a component or stream of the user has a name that is reserved for the system
     */
    public static StormTopology addTo(StormTopology topology, Map<String, Object> conf) {
        checkNames(topology);
        boolean events = EventSampling.areWanted(conf);
        boolean metrics = TopologyMetrics.areConsumed(conf);
        if (!events && !metrics) {
            return topology;
        }
        StormTopology whole = topology.deepCopy();
        if (events) {
            StormCommon.addEventLogger(conf, whole);
            nameEventLoggers(conf, whole);
        }
        if (metrics) {
            addConsumers(conf, whole);
        }
        return whole;
    }

    /** Sets the classes of event loggers in the configuration of Storm's bolt, which creates them. */
    private static void nameEventLoggers(Map<String, Object> conf, StormTopology whole) {
        Object registered = conf.get(Config.TOPOLOGY_EVENT_LOGGER_REGISTER);
        if (registered != null) {
            Bolt bolt = whole.get_bolts().get(StormCommon.EVENTLOGGER_COMPONENT_ID);
            Map<String, Object> own = StormCommon.componentConf(bolt);
            own.put(
                    Config.TOPOLOGY_EVENT_LOGGER_REGISTER,
                    ProgramPlugin.replace(
                            registered,
                            ProgramEventLogger.class.getName(),
                            StormCommon.TOPOLOGY_EVENT_LOGGER_ARGUMENTS));
            bolt.get_common().set_json_conf(JSONValue.toJSONString(own));
        }
    }

    /**
     * Adds the consumers under ids with the names of the user's classes: Storm builds the ids from the names of the classes
     * that it creates.
     */
    private static void addNamedConsumers(Map<String, Object> conf, StormTopology whole) {
        Map<String, Object> seen = new HashMap<>(conf);
        List<Map<String, Object>> all = ProgramPlugin.replace(
                conf.get(Config.TOPOLOGY_METRICS_CONSUMER_REGISTER),
                ProgramMetricsConsumer.class.getName(),
                StormCommon.TOPOLOGY_METRICS_CONSUMER_ARGUMENT);
        seen.put(Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, all);
        StormCommon.addMetricComponents(seen, whole);
        int ours = 0;
        for (Map<String, Object> each : all) {
            String own = ProgramPlugin.programClassOf(each);
            if (own != null) {
                ours++;
                Bolt bolt = whole.get_bolts().remove(consumerId(ProgramMetricsConsumer.class.getName(), ours));
                whole.put_to_bolts(freeId(whole, own), bolt);
            }
        }
    }

    private static String freeId(StormTopology whole, String className) {
        int occurrence = 1;
        while (whole.get_bolts().containsKey(consumerId(className, occurrence))) {
            occurrence++;
        }
        return consumerId(className, occurrence);
    }

    private static String consumerId(String className, int occurrence) {
        return Constants.METRICS_COMPONENT_ID_PREFIX + className + (occurrence == 1 ? "" : "#" + occurrence);
    }

    /**
     * Adds the consumers without inputs from Storm's system component, which does not exist here: another task sends its
     * metrics.
     */
    private static void addConsumers(Map<String, Object> conf, StormTopology whole) {
        addNamedConsumers(conf, whole);
        StormCommon.addMetricStreams(whole);
        whole.get_bolts()
                .values()
                .forEach(bolt -> bolt.get_common()
                        .get_inputs()
                        .keySet()
                        .removeIf(input -> input.get_componentId().equals(Constants.SYSTEM_COMPONENT_ID)));
    }

    /**
     * Removes the components and streams that {@link #addTo} has added: as in Storm, components see the topology as built by
     * the user.
     *
     * @param topology a topology with or without system components
     * @return the same topology if it has no system components, else a copy without them
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
                    "component '" + id + "': ids that start with '__' are reserved for the system; choose another id");
        }
        for (String stream : common.get_streams().keySet()) {
            if (Utils.isSystemId(stream)) {
                throw new IllegalArgumentException("component '" + id + "' declares stream '" + stream
                        + "': names that start with '__' are reserved for the system; choose another name");
            }
        }
    }
}
