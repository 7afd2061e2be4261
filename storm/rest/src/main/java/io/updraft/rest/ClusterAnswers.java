package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.utils.IVersionInfo;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.VersionInfo;

/** The cluster: its configuration, its sums, its Nimbus hosts and its history. */
final class ClusterAnswers {
    private static final String NOT_APPLICABLE = "Not applicable";

    private final UiConf conf;
    private final List<JsonObject> workerVersions;

    ClusterAnswers(UiConf conf) {
        this.conf = conf;
        this.workerVersions = workerVersions(Utils.getAlternativeVersionsMap(conf.conf()));
    }

    List<RestRoute> routes() {
        return List.of(
                RestRoute.get("cluster/configuration", (nimbus, call) -> Utils.parseJson(nimbus.getNimbusConf())),
                RestRoute.get(
                        "cluster/summary",
                        (nimbus, call) ->
                                summary(nimbus.getClusterInfo(), call.request().user())),
                RestRoute.get("nimbus/summary", (nimbus, call) -> nimbuses(nimbus.getClusterInfo())),
                RestRoute.get("history/summary", (nimbus, call) -> {
                    return JsonObject.of(
                            "topo-history",
                            nimbus.getTopologyHistory(call.request().user()).get_topo_ids());
                }));
    }

    private JsonObject summary(ClusterSummary cluster, String user) {
        JsonObject answer = JsonObject.of("user", user)
                .with("stormVersion", VersionInfo.getVersion())
                .with("stormVersionInfo", version(VersionInfo.OUR_FULL_VERSION));
        if (!workerVersions.isEmpty()) {
            answer.put("alternativeWorkerVersions", workerVersions);
        }
        putCounts(answer, cluster);
        putResources(answer, cluster.get_supervisors());
        conf.putResourceDisplay(answer);
        conf.putLinks(answer);
        return answer;
    }

    private static void putCounts(JsonObject answer, ClusterSummary cluster) {
        List<SupervisorSummary> supervisors = cluster.get_supervisors();
        int slots = count(supervisors, SupervisorSummary::get_num_workers);
        int used = count(supervisors, SupervisorSummary::get_num_used_workers);
        answer.put("supervisors", supervisors.size());
        answer.put("topologies", cluster.get_topologies_size());
        answer.put("slotsTotal", slots);
        answer.put("slotsUsed", used);
        answer.put("slotsFree", slots - used);
        answer.put("executorsTotal", count(cluster.get_topologies(), TopologySummary::get_num_executors));
        answer.put("tasksTotal", count(cluster.get_topologies(), TopologySummary::get_num_tasks));
    }

    private static void putResources(JsonObject answer, List<SupervisorSummary> supervisors) {
        double memory = sum(supervisors, ResourceMaps::memory);
        double usedMemory = sum(supervisors, SupervisorSummary::get_used_mem);
        double cpu = sum(supervisors, ResourceMaps::cpu);
        double usedCpu = sum(supervisors, SupervisorSummary::get_used_cpu);
        answer.put("totalMem", memory);
        answer.put("totalCpu", cpu);
        answer.put("availMem", memory - usedMemory);
        answer.put("availCpu", cpu - usedCpu);
        answer.put("fragmentedMem", sum(supervisors, SupervisorSummary::get_fragmented_mem));
        answer.put("fragmentedCpu", sum(supervisors, SupervisorSummary::get_fragmented_cpu));
        answer.put("memAssignedPercentUtil", percent(usedMemory, memory));
        answer.put("cpuAssignedPercentUtil", percent(usedCpu, cpu));
        Map<String, Double> total = Map.of();
        Map<String, Double> used = Map.of();
        for (SupervisorSummary supervisor : supervisors) {
            total = ResourceMaps.sum(total, supervisor.get_total_resources());
            used = ResourceMaps.sum(used, supervisor.get_used_generic_resources());
        }
        answer.put("availGenerics", ResourceMaps.generic(ResourceMaps.difference(total, used)));
        answer.put("totalGenerics", ResourceMaps.generic(total));
    }

    private static String percent(double used, double total) {
        return total > 0 ? UiText.decimal(used * 100 / total) : "0.0";
    }

    private static <T> int count(List<T> summaries, ToIntFunction<T> number) {
        return summaries.stream().mapToInt(number).sum();
    }

    private static double sum(List<SupervisorSummary> supervisors, ToDoubleFunction<SupervisorSummary> amount) {
        return supervisors.stream().mapToDouble(amount).sum();
    }

    private static List<JsonObject> workerVersions(NavigableMap<String, IVersionInfo> versions) {
        List<JsonObject> described = new ArrayList<>();
        versions.forEach((match, info) -> {
            JsonObject version = version(info);
            version.put("versionMatch", match);
            described.add(version);
        });
        return described;
    }

    private static JsonObject version(IVersionInfo info) {
        JsonObject version = new JsonObject();
        version.put("version", info.getVersion());
        version.put("revision", info.getRevision());
        version.put("branch", info.getBranch());
        version.put("date", info.getDate());
        version.put("srcChecksum", info.getSrcChecksum());
        return version;
    }

    /** The hosts that run, then the configured ones that do not. */
    private JsonObject nimbuses(ClusterSummary cluster) {
        List<JsonObject> nimbuses = new ArrayList<>();
        List<String> running = new ArrayList<>();
        for (NimbusSummary nimbus : cluster.get_nimbuses()) {
            JsonObject answer =
                    nimbus(nimbus.get_host(), nimbus.get_port(), nimbus.is_isLeader() ? "Leader" : "Not a Leader");
            answer.put("version", nimbus.get_version());
            answer.put("nimbusUpTime", UiText.uptime(nimbus.get_uptime_secs()));
            answer.put("nimbusUpTimeSeconds", nimbus.get_uptime_secs());
            nimbuses.add(answer);
            running.add(nimbus.get_host() + ":" + nimbus.get_port());
        }
        for (String seed : conf.nimbusSeeds()) {
            if (Utils.isLocalhostAddress(seed) || running.contains(seed + ":" + conf.nimbusPort())) {
                continue;
            }
            JsonObject answer = nimbus(seed, Integer.toString(conf.nimbusPort()), "Offline");
            answer.put("version", NOT_APPLICABLE);
            answer.put("nimbusUpTime", NOT_APPLICABLE);
            answer.put("nimbusUpTimeSeconds", NOT_APPLICABLE);
            nimbuses.add(answer);
        }
        return JsonObject.of("nimbuses", nimbuses);
    }

    private JsonObject nimbus(String host, Object port, String status) {
        return JsonObject.of("host", host)
                .with("port", port)
                .with("status", status)
                .with("nimbusLogLink", conf.daemonLog(host, "nimbus.log"));
    }
}
