package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import org.apache.storm.generated.WorkerSummary;

/**
 * The workers of a supervisor or of a topology.
 *
 * @param conf makes the links to logs
 */
record WorkerSummaries(UiConf conf) {
    public List<JsonObject> of(List<WorkerSummary> workers) {
        return workers == null ? List.of() : workers.stream().map(this::worker).toList();
    }

    private JsonObject worker(WorkerSummary worker) {
        return JsonObject.of("supervisorId", worker.get_supervisor_id())
                .with("host", worker.get_host())
                .with("port", worker.get_port())
                .with("topologyId", worker.get_topology_id())
                .with("topologyName", worker.get_topology_name())
                .with("owner", worker.get_owner())
                .with("executorsTotal", worker.get_num_executors())
                .with("componentNumTasks", worker.get_component_to_num_tasks())
                .with("assignedMemOnHeap", worker.get_assigned_memonheap())
                .with("assignedMemOffHeap", worker.get_assigned_memoffheap())
                .with("assignedCpu", worker.get_assigned_cpu())
                .with("uptime", UiText.uptime(worker.get_uptime_secs()))
                .with("uptimeSeconds", worker.get_uptime_secs())
                .with("workerLogLink", conf.workerLog(worker.get_host(), worker.get_port(), worker.get_topology_id()));
    }
}
