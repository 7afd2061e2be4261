package io.updraft.console.cluster;

import io.updraft.base.json.JsonObject;
import io.updraft.console.operator.ComponentType;
import io.updraft.console.operator.TopologyGraph;
import io.updraft.observe.view.JsonTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;
import org.apache.storm.utils.Utils;

/** Describes a component of a topology of a cluster: its executors, streams and errors. */
final class ComponentPageJson {
    private final TopologySampled sampled;
    private final StormTopology structure;
    private final ComponentPageInfo page;
    private final String id;

    ComponentPageJson(TopologySampled sampled, StormTopology structure, ComponentPageInfo page) {
        this.sampled = sampled;
        this.structure = structure;
        this.page = page;
        this.id = page.get_component_id();
    }

    private record Input(GlobalStreamId from, Grouping grouping, ComponentAggregateStats stats) {
        BoltAggregateStats bolt() {
            return stats.get_specific_stats().get_bolt();
        }
    }

    private record Output(String stream, List<String> fields, ComponentAggregateStats stats) {
        Double completeMillis() {
            return stats.get_specific_stats() != null
                            && stats.get_specific_stats().is_set_spout()
                    ? stats.get_specific_stats().get_spout().get_complete_latency_ms()
                    : null;
        }
    }

    JsonObject json() {
        JsonObject json = JsonObject.of("topology", page.get_topology_name())
                .with("id", id)
                .with("type", ComponentType.of(structure, id));
        sampled.components().stream()
                .filter(component -> component.id().equals(id))
                .forEach(component -> {
                    LiveTopologyJson.COMPONENT.putTo(json, component);
                    json.put("executors", executors(component));
                });
        json.put("inputs", inputs());
        json.put("outputs", outputs());
        List<ErrorInfo> errors = page.get_errors() == null ? List.of() : page.get_errors();
        json.put(
                "errors",
                errors.stream().map(error -> ErrorJson.withStack(id, error)).toList());
        ReportedTroubles troubles = new ReportedTroubles(sampled, Map.of(id, errors));
        json.put("calls", troubles.calls(true));
        json.put("keys", List.of());
        json.put("hotKeys", troubles.hotKeyLines());
        return json;
    }

    private JsonObject executors(TopologySampled.Component component) {
        return new JsonTable<ExecutorSummary>()
                .with("firstTask", ComponentPageJson::firstTask)
                .with("worker", executor -> ClusterJson.name(executor.get_host(), executor.get_port()))
                .with("uptimeSeconds", ExecutorSummary::get_uptime_secs)
                .with("emittedPerSecond", executor -> rates(executor).emitted())
                .with(
                        "executedPerSecond",
                        executor -> component.spout() ? null : rates(executor).executed())
                .with("ackedPerSecond", executor -> rates(executor).acked())
                .with("failedPerSecond", executor -> rates(executor).failed())
                .with("busy", TopologyReading::capacity)
                .with("emitted", executor -> (long) total(executor).emitted())
                .with(
                        "executed",
                        executor -> component.spout()
                                ? null
                                : (Object) (long) total(executor).executed())
                .with("acked", executor -> (long) total(executor).acked())
                .with("failed", executor -> (long) total(executor).failed())
                .of(component.executors());
    }

    private static int firstTask(ExecutorSummary executor) {
        return executor.get_executor_info().get_task_start();
    }

    private StreamCounts rates(ExecutorSummary executor) {
        return sampled.rates().of(firstTask(executor));
    }

    private static StreamCounts total(ExecutorSummary executor) {
        return StreamCounts.of(executor.get_stats(), StreamCounts.ALL_TIME);
    }

    private JsonObject inputs() {
        Map<GlobalStreamId, Grouping> groupings = common() == null ? Map.of() : common().get_inputs();
        List<Input> inputs = new ArrayList<>();
        if (page.get_gsid_to_input_stats() != null) {
            new TreeMap<>(page.get_gsid_to_input_stats()).forEach((from, stats) -> {
                if (!Utils.isSystemId(from.get_componentId())) {
                    inputs.add(new Input(from, groupings.get(from), stats));
                }
            });
        }
        return new JsonTable<Input>()
                .with("component", input -> input.from().get_componentId())
                .with("stream", input -> input.from().get_streamId())
                .with(
                        "grouping",
                        input -> input.grouping() == null ? null : TopologyGraph.groupingName(input.grouping()))
                .with("executed", input -> input.bolt().get_executed())
                .with("acked", input -> input.stats().get_common_stats().get_acked())
                .with("failed", input -> input.stats().get_common_stats().get_failed())
                .with("executeMillis", input -> input.bolt().get_execute_latency_ms())
                .with("processMillis", input -> input.bolt().get_process_latency_ms())
                .of(inputs);
    }

    private JsonObject outputs() {
        Map<String, StreamInfo> streams = common() == null ? Map.of() : common().get_streams();
        List<Output> outputs = new ArrayList<>();
        if (page.get_sid_to_output_stats() != null) {
            new TreeMap<>(page.get_sid_to_output_stats()).forEach((stream, stats) -> {
                StreamInfo info = streams.get(stream);
                if (!Utils.isSystemId(stream)) {
                    outputs.add(new Output(stream, info == null ? null : info.get_output_fields(), stats));
                }
            });
        }
        return new JsonTable<Output>()
                .with("stream", Output::stream)
                .with("fields", Output::fields)
                .with("emitted", output -> output.stats().get_common_stats().get_emitted())
                .with("transferred", output -> output.stats().get_common_stats().get_transferred())
                .with("acked", output -> output.stats().get_common_stats().get_acked())
                .with("failed", output -> output.stats().get_common_stats().get_failed())
                .with("completeMillis", Output::completeMillis)
                .of(outputs);
    }

    /** Returns the declaration of the component; null if it is not of the user. */
    private ComponentCommon common() {
        Bolt bolt = structure.get_bolts().get(id);
        SpoutSpec spout = structure.get_spouts().get(id);
        if (bolt != null) {
            return bolt.get_common();
        }
        return spout == null ? null : spout.get_common();
    }
}
