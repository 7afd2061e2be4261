package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/** The owners of topologies, and the list of topologies. */
final class OwnerAnswers {
    private static final String NO_GUARANTEE = "N/A";

    private final UiConf conf;

    OwnerAnswers(UiConf conf) {
        this.conf = conf;
    }

    List<RestRoute> routes() {
        return List.of(
                RestRoute.get("owner-resources", (nimbus, call) -> {
                    JsonObject answer = JsonObject.of(
                            "owners",
                            nimbus.getOwnerResourceSummaries(null).stream()
                                    .map(OwnerAnswers::owner)
                                    .toList());
                    conf.putResourceDisplay(answer);
                    return answer;
                }),
                RestRoute.get("owner-resources/{id}", (nimbus, call) -> owner(nimbus, call.variable("id"))),
                RestRoute.get("topology/summary", (nimbus, call) -> {
                    JsonObject answer = JsonObject.of(
                            "topologies",
                            nimbus.getTopologySummaries().stream()
                                    .map(this::topology)
                                    .toList());
                    conf.putResourceDisplay(answer);
                    return answer;
                }));
    }

    private JsonObject owner(Nimbus.Iface nimbus, String owner) throws TException {
        List<OwnerResourceSummary> summaries = nimbus.getOwnerResourceSummaries(owner);
        JsonObject answer = owner(summaries.isEmpty() ? new OwnerResourceSummary(owner) : summaries.get(0));
        answer.put(
                "topologies",
                nimbus.getTopologySummaries().stream()
                        .filter(topology -> owner.equals(topology.get_owner()))
                        .map(this::topology)
                        .toList());
        conf.putResourceDisplay(answer);
        return answer;
    }

    private static JsonObject owner(OwnerResourceSummary owner) {
        JsonObject answer = JsonObject.of("owner", owner.get_owner())
                .with("totalTopologies", owner.get_total_topologies())
                .with("totalExecutors", owner.get_total_executors())
                .with("totalWorkers", owner.get_total_workers())
                .with("totalTasks", owner.get_total_tasks())
                .with("totalMemoryUsage", owner.get_memory_usage())
                .with("totalCpuUsage", owner.get_cpu_usage());
        putGuarantees(answer, owner);
        answer.put("totalReqOnHeapMem", owner.get_requested_on_heap_memory());
        answer.put("totalReqOffHeapMem", owner.get_requested_off_heap_memory());
        answer.put("totalReqMem", owner.get_requested_total_memory());
        answer.put("totalReqCpu", owner.get_requested_cpu());
        answer.put("totalAssignedOnHeapMem", owner.get_assigned_on_heap_memory());
        answer.put("totalAssignedOffHeapMem", owner.get_assigned_off_heap_memory());
        return answer;
    }

    private static void putGuarantees(JsonObject answer, OwnerResourceSummary owner) {
        answer.put("memoryGuarantee", guarantee(owner.is_set_memory_guarantee(), owner.get_memory_guarantee()));
        answer.put("cpuGuarantee", guarantee(owner.is_set_cpu_guarantee(), owner.get_cpu_guarantee()));
        answer.put("isolatedNodes", owner.is_set_isolated_node_guarantee() ? owner.get_isolated_node_guarantee() : -1);
        answer.put(
                "memoryGuaranteeRemaining",
                guarantee(owner.is_set_memory_guarantee_remaining(), owner.get_memory_guarantee_remaining()));
        answer.put(
                "cpuGuaranteeRemaining",
                guarantee(owner.is_set_cpu_guarantee_remaining(), owner.get_cpu_guarantee_remaining()));
    }

    private static Object guarantee(boolean given, double amount) {
        return given ? (Object) amount : NO_GUARANTEE;
    }

    private JsonObject topology(TopologySummary topology) {
        JsonObject answer = JsonObject.of("id", topology.get_id())
                .with("encodedId", Utils.urlEncodeUtf8(topology.get_id()))
                .with("name", topology.get_name())
                .with("owner", topology.get_owner())
                .with("status", topology.get_status())
                .with("uptime", UiText.uptime(topology.get_uptime_secs()))
                .with("uptimeSeconds", topology.get_uptime_secs())
                .with("tasksTotal", topology.get_num_tasks())
                .with("workersTotal", topology.get_num_workers())
                .with("executorsTotal", topology.get_num_executors())
                .with("replicationCount", topology.get_replication_count())
                .with("schedulerInfo", topology.get_sched_status())
                .with("topologyVersion", topology.get_topology_version())
                .with("stormVersion", topology.get_storm_version());
        // The document lists it both here and beside the topologies.
        conf.putResourceDisplay(answer);
        putResources(answer, topology);
        return answer;
    }

    private static void putResources(JsonObject answer, TopologySummary topology) {
        double requestedOnHeap = topology.get_requested_memonheap();
        double requestedOffHeap = topology.get_requested_memoffheap();
        double assignedOnHeap = topology.get_assigned_memonheap();
        double assignedOffHeap = topology.get_assigned_memoffheap();
        answer.put("requestedMemOnHeap", requestedOnHeap);
        answer.put("requestedMemOffHeap", requestedOffHeap);
        answer.put("requestedTotalMem", requestedOnHeap + requestedOffHeap);
        answer.put("requestedCpu", topology.get_requested_cpu());
        answer.put("requestedGenericResources", ResourceMaps.generic(topology.get_requested_generic_resources()));
        answer.put("assignedMemOnHeap", assignedOnHeap);
        answer.put("assignedMemOffHeap", assignedOffHeap);
        answer.put("assignedTotalMem", assignedOnHeap + assignedOffHeap);
        answer.put("assignedCpu", topology.get_assigned_cpu());
        answer.put("assignedGenericResources", ResourceMaps.generic(topology.get_assigned_generic_resources()));
    }
}
