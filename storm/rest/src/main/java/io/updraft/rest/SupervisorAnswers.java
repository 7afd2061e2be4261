package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.SupervisorSummary;

/** Supervisors and the workers on them. */
final class SupervisorAnswers {
    private final UiConf conf;
    private final WorkerSummaries workers;

    SupervisorAnswers(UiConf conf) {
        this.conf = conf;
        this.workers = new WorkerSummaries(conf);
    }

    List<RestRoute> routes() {
        return List.of(
                RestRoute.get("supervisor/summary", (nimbus, call) -> {
                    JsonObject answer = new JsonObject();
                    put(answer, nimbus.getClusterInfo().get_supervisors());
                    return answer;
                }),
                RestRoute.get("supervisor", (nimbus, call) -> {
                    String id = call.parameter("id");
                    String host = call.parameter("host");
                    if (id == null && host == null) {
                        throw RestRefusal.badRequest("give the parameter 'id' or 'host' of a supervisor");
                    }
                    return page(nimbus.getSupervisorPageInfo(id, host, call.system()));
                }));
    }

    private JsonObject page(SupervisorPageInfo page) {
        JsonObject answer = new JsonObject();
        put(answer, page.get_supervisor_summaries());
        answer.put("workers", workers.of(page.get_worker_summaries()));
        return answer;
    }

    private void put(JsonObject answer, List<SupervisorSummary> supervisors) {
        answer.put("supervisors", supervisors.stream().map(this::supervisor).toList());
        conf.putResourceDisplay(answer);
        conf.putLogviewer(answer);
    }

    private JsonObject supervisor(SupervisorSummary supervisor) {
        int slots = supervisor.get_num_workers();
        int used = supervisor.get_num_used_workers();
        JsonObject answer = JsonObject.of("id", supervisor.get_supervisor_id())
                .with("host", supervisor.get_host())
                .with("uptime", UiText.uptime(supervisor.get_uptime_secs()))
                .with("uptimeSeconds", supervisor.get_uptime_secs())
                .with("version", supervisor.get_version())
                .with("blacklisted", supervisor.is_blacklisted())
                .with("slotsTotal", slots)
                .with("slotsUsed", used)
                .with("slotsFree", Math.max(slots - used, 0))
                .with("logLink", conf.daemonLog(supervisor.get_host(), "supervisor.log"));
        // The document lists it both here and beside the supervisors.
        conf.putResourceDisplay(answer);
        putResources(answer, supervisor);
        return answer;
    }

    private static void putResources(JsonObject answer, SupervisorSummary supervisor) {
        double memory = ResourceMaps.memory(supervisor);
        double cpu = ResourceMaps.cpu(supervisor);
        answer.put("totalMem", memory);
        answer.put("totalCpu", cpu);
        answer.put("usedMem", supervisor.get_used_mem());
        answer.put("usedCpu", supervisor.get_used_cpu());
        answer.put("availMem", memory - supervisor.get_used_mem());
        answer.put("availCpu", cpu - supervisor.get_used_cpu());
        Map<String, Double> total = supervisor.get_total_resources();
        Map<String, Double> used = supervisor.get_used_generic_resources();
        answer.put("totalGenericResources", ResourceMaps.generic(total));
        answer.put("usedGenericResources", ResourceMaps.generic(used));
        answer.put("availGenericResources", ResourceMaps.generic(ResourceMaps.difference(total, used)));
    }
}
