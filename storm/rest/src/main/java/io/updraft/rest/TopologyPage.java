package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.apache.storm.Config;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologyStats;
import org.apache.storm.utils.Utils;

/** One topology: its page, its workers and its errors. */
final class TopologyPage {
    private static final double DEFAULT_SAMPLING_PERCENTAGE = 10;

    private final UiConf conf;
    private final WorkerSummaries workers;
    private final ErrorAnswers errors;

    TopologyPage(UiConf conf) {
        this.conf = conf;
        this.workers = new WorkerSummaries(conf);
        this.errors = new ErrorAnswers(conf);
    }

    List<RestRoute> routes() {
        return List.of(
                RestRoute.get("topology/{id}", (nimbus, call) -> {
                    String window = call.window();
                    return page(nimbus.getTopologyPageInfo(call.topology(), window, call.system()), window, call);
                }),
                RestRoute.get(
                        "topology-workers/{id}", (nimbus, call) -> workers(nimbus.getTopologyInfo(call.topology()))),
                RestRoute.get(
                        "topology/{id}/get-errors", (nimbus, call) -> errors(nimbus.getTopologyInfo(call.topology()))));
    }

    private JsonObject page(TopologyPageInfo page, String window, RestCall call) {
        Map<String, Object> topologyConf = Utils.parseJson(page.get_topology_conf());
        JsonObject answer = new JsonObject();
        putIdentity(answer, page);
        answer.put("user", call.request().user());
        answer.put("window", window);
        answer.put("windowHint", UiText.windowHint(window));
        answer.put("msgTimeout", topologyConf.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS));
        putDebug(answer, page.is_set_debug_options() ? page.get_debug_options() : new DebugOptions());
        putMemory(answer, page);
        answer.put("topologyStats", statistics(page.get_topology_stats()));
        answer.put("workers", workers.of(page.get_workers()));
        answer.put("spouts", components(page.get_id_to_spout_agg_stats(), (id, stats) -> spout(id, stats, page)));
        answer.put("bolts", components(page.get_id_to_bolt_agg_stats(), (id, stats) -> bolt(id, stats, page)));
        answer.put("configuration", topologyConf);
        answer.put("visualizationTable", List.of());
        conf.putResourceDisplay(answer);
        conf.putLinks(answer);
        return answer;
    }

    private static void putIdentity(JsonObject answer, TopologyPageInfo page) {
        answer.put("id", page.get_id());
        answer.put("encodedId", Utils.urlEncodeUtf8(page.get_id()));
        answer.put("name", page.get_name());
        answer.put("owner", page.get_owner());
        answer.put("status", page.get_status());
        answer.put("uptime", UiText.uptime(page.get_uptime_secs()));
        answer.put("uptimeSeconds", page.get_uptime_secs());
        answer.put("tasksTotal", page.get_num_tasks());
        answer.put("workersTotal", page.get_num_workers());
        answer.put("executorsTotal", page.get_num_executors());
        answer.put("replicationCount", page.get_replication_count());
        answer.put("schedulerInfo", page.get_sched_status());
        answer.put("topologyVersion", page.get_topology_version());
        answer.put("stormVersion", page.get_storm_version());
    }

    private static void putDebug(JsonObject answer, DebugOptions options) {
        answer.put("debug", options.is_enable());
        answer.put("samplingPct", options.is_enable() ? options.get_samplingpct() : DEFAULT_SAMPLING_PERCENTAGE);
    }

    private static void putMemory(JsonObject answer, TopologyPageInfo page) {
        double requestedOnHeap = page.get_requested_memonheap();
        double requestedOffHeap = page.get_requested_memoffheap();
        double assignedOnHeap = page.get_assigned_memonheap();
        double assignedOffHeap = page.get_assigned_memoffheap();
        answer.put("requestedMemOnHeap", requestedOnHeap);
        answer.put("requestedMemOffHeap", requestedOffHeap);
        answer.put("requestedTotalMem", requestedOnHeap + requestedOffHeap);
        answer.put("requestedCpu", page.get_requested_cpu());
        answer.put("requestedRegularOnHeapMem", page.get_requested_regular_on_heap_memory());
        answer.put("requestedSharedOnHeapMem", page.get_requested_shared_on_heap_memory());
        answer.put("requestedRegularOffHeapMem", page.get_requested_regular_off_heap_memory());
        answer.put("requestedSharedOffHeapMem", page.get_requested_shared_off_heap_memory());
        answer.put("requestedGenericResources", ResourceMaps.generic(page.get_requested_generic_resources()));
        answer.put("assignedMemOnHeap", assignedOnHeap);
        answer.put("assignedMemOffHeap", assignedOffHeap);
        answer.put("assignedTotalMem", assignedOnHeap + assignedOffHeap);
        answer.put("assignedCpu", page.get_assigned_cpu());
        answer.put("assignedRegularOnHeapMem", page.get_assigned_regular_on_heap_memory());
        answer.put("assignedSharedOnHeapMem", page.get_assigned_shared_on_heap_memory());
        answer.put("assignedRegularOffHeapMem", page.get_assigned_regular_off_heap_memory());
        answer.put("assignedSharedOffHeapMem", page.get_assigned_shared_off_heap_memory());
        answer.put("assignedGenericResources", ResourceMaps.generic(page.get_assigned_generic_resources()));
    }

    private static List<JsonObject> statistics(TopologyStats stats) {
        List<JsonObject> answers = new ArrayList<>();
        Map<String, Long> emitted = new TreeMap<>(UiText::compareWindows);
        emitted.putAll(stats.get_window_to_emitted());
        emitted.forEach((window, count) -> {
            JsonObject answer = JsonObject.of("windowPretty", UiText.windowHint(window))
                    .with("window", window)
                    .with("emitted", count)
                    .with("transferred", stats.get_window_to_transferred().get(window))
                    .with(
                            "completeLatency",
                            UiText.decimal(
                                    stats.get_window_to_complete_latencies_ms().get(window)))
                    .with("acked", stats.get_window_to_acked().getOrDefault(window, 0L))
                    .with("failed", stats.get_window_to_failed().getOrDefault(window, 0L));
            answers.add(answer);
        });
        return answers;
    }

    private static List<JsonObject> components(
            Map<String, ComponentAggregateStats> components,
            BiFunction<String, ComponentAggregateStats, JsonObject> describe) {
        List<JsonObject> answers = new ArrayList<>();
        new TreeMap<>(components).forEach((id, stats) -> answers.add(describe.apply(id, stats)));
        return answers;
    }

    private JsonObject spout(String id, ComponentAggregateStats stats, TopologyPageInfo page) {
        JsonObject answer = JsonObject.of("spoutId", id).with("encodedSpoutId", Utils.urlEncodeUtf8(id));
        putCommon(answer, stats.get_common_stats());
        answer.put(
                "completeLatency",
                UiText.decimal(stats.get_specific_stats().get_spout().get_complete_latency_ms()));
        errors.putLast(answer, stats.get_last_error(), page.get_id());
        return answer;
    }

    private JsonObject bolt(String id, ComponentAggregateStats stats, TopologyPageInfo page) {
        BoltAggregateStats bolt = stats.get_specific_stats().get_bolt();
        JsonObject answer = JsonObject.of("boltId", id).with("encodedBoltId", Utils.urlEncodeUtf8(id));
        putCommon(answer, stats.get_common_stats());
        answer.put("capacity", UiText.decimal(bolt.get_capacity()));
        answer.put("executed", bolt.get_executed());
        answer.put("executeLatency", UiText.decimal(bolt.get_execute_latency_ms()));
        answer.put("processLatency", UiText.decimal(bolt.get_process_latency_ms()));
        errors.putLast(answer, stats.get_last_error(), page.get_id());
        return answer;
    }

    private static void putCommon(JsonObject answer, CommonAggregateStats stats) {
        answer.put("executors", stats.get_num_executors());
        answer.put("tasks", stats.get_num_tasks());
        answer.put("emitted", stats.get_emitted());
        answer.put("transferred", stats.get_transferred());
        answer.put("acked", stats.get_acked());
        answer.put("failed", stats.get_failed());
        if (stats.is_set_resources_map()) {
            ResourceMaps.putRequested(answer, stats.get_resources_map());
            answer.put("requestedGenericResourcesComp", ResourceMaps.generic(stats.get_resources_map()));
        }
    }

    private JsonObject workers(TopologyInfo topology) {
        JsonObject answer = JsonObject.of(
                "hostPortList",
                topology.get_executors().stream()
                        .map(executor -> {
                            return JsonObject.of("host", executor.get_host()).with("port", executor.get_port());
                        })
                        .distinct()
                        .toList());
        conf.putLogviewer(answer);
        return answer;
    }

    private JsonObject errors(TopologyInfo topology) {
        List<ErrorInfo> all =
                topology.get_errors().values().stream().flatMap(List::stream).toList();
        return JsonObject.of("topologyErrors", errors.all(all, topology.get_id()));
    }
}
