package io.updraft.rest.view;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.WorkerSummary;

/**
 * The workers of a supervisor or of a topology.
 *
 * @param conf makes the links to logs
 */
public record WorkerSummaries(UiConf conf) {
    public List<Map<String, Object>> of(List<WorkerSummary> workers) {
        return workers == null ? List.of() : workers.stream().map(this::worker).toList();
    }

    private Map<String, Object> worker(WorkerSummary worker) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("supervisorId", worker.get_supervisor_id());
        answer.put("host", worker.get_host());
        answer.put("port", worker.get_port());
        answer.put("topologyId", worker.get_topology_id());
        answer.put("topologyName", worker.get_topology_name());
        answer.put("owner", worker.get_owner());
        answer.put("executorsTotal", worker.get_num_executors());
        answer.put("componentNumTasks", worker.get_component_to_num_tasks());
        answer.put("assignedMemOnHeap", worker.get_assigned_memonheap());
        answer.put("assignedMemOffHeap", worker.get_assigned_memoffheap());
        answer.put("assignedCpu", worker.get_assigned_cpu());
        answer.put("uptime", UiText.uptime(worker.get_uptime_secs()));
        answer.put("uptimeSeconds", worker.get_uptime_secs());
        answer.put("workerLogLink", conf.workerLog(worker.get_host(), worker.get_port(), worker.get_topology_id()));
        return answer;
    }
}
