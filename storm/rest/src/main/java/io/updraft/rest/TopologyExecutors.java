package io.updraft.rest;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/**
 * The components of a running topology with their executors. Components without executors are left out.
 *
 * @param spouts the spouts, by name
 * @param bolts the bolts, by name
 */
record TopologyExecutors(SortedMap<String, Component> spouts, SortedMap<String, Component> bolts) {
    /**
     * A component and its executors.
     *
     * @param common its inputs and settings
     * @param executors its executors
     */
    public record Component(ComponentCommon common, List<ExecutorSummary> executors) {
        public StreamStatistics statistics(String window, boolean system) {
            return new StreamStatistics(
                    executors.stream()
                            .filter(ExecutorSummary::is_set_stats)
                            .map(ExecutorSummary::get_stats)
                            .toList(),
                    window,
                    system);
        }
    }

    /** Asks Nimbus for a topology; Storm's own components are included when {@code system} is set. */
    public static TopologyExecutors of(Nimbus.Iface nimbus, String id, boolean system) throws TException {
        Map<String, List<ExecutorSummary>> executors = info(nimbus, id).get_executors().stream()
                .collect(Collectors.groupingBy(ExecutorSummary::get_component_id));
        StormTopology topology = nimbus.getTopology(id);
        SortedMap<String, Component> spouts = new TreeMap<>();
        for (Map.Entry<String, SpoutSpec> spout : topology.get_spouts().entrySet()) {
            put(spouts, spout.getKey(), spout.getValue().get_common(), executors);
        }
        SortedMap<String, Component> bolts = new TreeMap<>();
        for (Map.Entry<String, Bolt> bolt : topology.get_bolts().entrySet()) {
            if (system || !Utils.isSystemId(bolt.getKey())) {
                put(bolts, bolt.getKey(), bolt.getValue().get_common(), executors);
            }
        }
        return new TopologyExecutors(spouts, bolts);
    }

    private static void put(
            Map<String, Component> components,
            String id,
            ComponentCommon common,
            Map<String, List<ExecutorSummary>> executors) {
        if (executors.containsKey(id)) {
            components.put(id, new Component(common, executors.get(id)));
        }
    }

    /** {@return a topology by its id, without its errors} */
    public static TopologyInfo info(Nimbus.Iface nimbus, String id) throws TException {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(NumErrorsChoice.NONE);
        return nimbus.getTopologyInfoWithOpts(id, options);
    }
}
