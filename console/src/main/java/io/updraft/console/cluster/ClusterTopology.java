package io.updraft.console.cluster;

import io.updraft.console.operator.ComponentType;
import io.updraft.console.operator.TopologyGraph;
import io.updraft.observe.view.ComponentPageView;
import io.updraft.observe.view.ComponentView;
import io.updraft.observe.view.EdgeView;
import io.updraft.observe.view.ExecutorView;
import io.updraft.observe.view.FindingsView;
import io.updraft.observe.view.InputView;
import io.updraft.observe.view.LiveTopologyView;
import io.updraft.observe.view.OutputView;
import io.updraft.observe.view.RecordTable;
import io.updraft.observe.view.Remarks;
import io.updraft.observe.view.TopologyView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;
import org.apache.storm.utils.Utils;

/**
 * A topology of a cluster at this moment, and its components. What Storm does not know is null.
 *
 * @param sampled what Nimbus knows
 */
record ClusterTopology(TopologySampled sampled) {
    /**
     * Describes the topology with a row for each component and each edge.
     *
     * @param remarks what is worth saying about it
     */
    LiveTopologyView live(TopologyView overview, Remarks remarks) {
        Optional<TopologySampled.Component> bottleneck = ClusterRemarks.bottleneck(sampled);
        return new LiveTopologyView(
                new FindingsView(
                        overview,
                        sampled.rates().seconds(),
                        List.of(),
                        bottleneck.map(ClusterRemarks::verdict).orElse(null),
                        null,
                        List.of()),
                LiveTopologyView.marks(remarks),
                RecordTable.compact(
                        ComponentView.class,
                        sampled.components().stream()
                                .map(TopologySampled.Component::view)
                                .toList()),
                RecordTable.compact(EdgeView.class, edges()));
    }

    private List<EdgeView> edges() {
        return sampled.reading().counts().keySet().stream()
                .filter(TopologyReading.Edge.class::isInstance)
                .map(TopologyReading.Edge.class::cast)
                .map(edge -> new EdgeView(
                        edge.source(),
                        edge.stream(),
                        edge.target(),
                        sampled.rates().of(edge).executed(),
                        null))
                .toList();
    }

    /** Describes a component, which must have executors: these, its streams and errors. */
    ComponentPageView component(StormTopology structure, ComponentPageInfo page) {
        String id = page.get_component_id();
        TopologySampled.Component component = sampled.components().stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
        List<ErrorInfo> errors = page.get_errors() == null ? List.of() : page.get_errors();
        ReportedTroubles troubles = new ReportedTroubles(sampled, Map.of(id, errors));
        ComponentCommon common = common(structure, id);
        return new ComponentPageView(
                page.get_topology_name(),
                component.view(),
                ComponentType.of(structure, id),
                RecordTable.of(ExecutorView.class, component.executorViews(sampled.rates())),
                RecordTable.of(InputView.class, inputs(common, page)),
                RecordTable.of(OutputView.class, outputs(common, page)),
                errors.stream().map(error -> NimbusErrors.of(id, error, true)).toList(),
                troubles.calls(true),
                List.of(),
                troubles.hotKeyLines());
    }

    private static List<InputView> inputs(ComponentCommon common, ComponentPageInfo page) {
        Map<GlobalStreamId, Grouping> groupings = common == null ? Map.of() : common.get_inputs();
        List<InputView> inputs = new ArrayList<>();
        sorted(page.get_gsid_to_input_stats()).forEach((source, stats) -> {
            if (!Utils.isSystemId(source.get_componentId())) {
                Grouping grouping = groupings.get(source);
                inputs.add(new InputView(
                        source.get_componentId(),
                        source.get_streamId(),
                        grouping == null ? null : TopologyGraph.groupingName(grouping),
                        stats.get_specific_stats().get_bolt().get_executed(),
                        stats.get_common_stats().get_acked(),
                        stats.get_common_stats().get_failed(),
                        stats.get_specific_stats().get_bolt().get_execute_latency_ms(),
                        stats.get_specific_stats().get_bolt().get_process_latency_ms()));
            }
        });
        return inputs;
    }

    private static List<OutputView> outputs(ComponentCommon common, ComponentPageInfo page) {
        Map<String, StreamInfo> streams = common == null ? Map.of() : common.get_streams();
        List<OutputView> outputs = new ArrayList<>();
        sorted(page.get_sid_to_output_stats()).forEach((stream, stats) -> {
            if (!Utils.isSystemId(stream)) {
                StreamInfo info = streams.get(stream);
                outputs.add(new OutputView(
                        stream,
                        info == null ? null : info.get_output_fields(),
                        stats.get_common_stats().get_emitted(),
                        stats.get_common_stats().get_transferred(),
                        stats.get_common_stats().get_acked(),
                        stats.get_common_stats().get_failed(),
                        completeMillis(stats)));
            }
        });
        return outputs;
    }

    private static Double completeMillis(ComponentAggregateStats stats) {
        return stats.get_specific_stats() != null && stats.get_specific_stats().is_set_spout()
                ? Double.valueOf(stats.get_specific_stats().get_spout().get_complete_latency_ms())
                : null;
    }

    /** Sorts a map of Thrift, which is null when unset. */
    private static <K> Map<K, ComponentAggregateStats> sorted(Map<K, ComponentAggregateStats> statistics) {
        return statistics == null ? Map.of() : new TreeMap<>(statistics);
    }

    /** Returns the declaration of a component; null if it is not of the user. */
    private static ComponentCommon common(StormTopology structure, String id) {
        Bolt bolt = structure.get_bolts().get(id);
        SpoutSpec spout = structure.get_spouts().get(id);
        if (bolt != null) {
            return bolt.get_common();
        }
        return spout == null ? null : spout.get_common();
    }
}
