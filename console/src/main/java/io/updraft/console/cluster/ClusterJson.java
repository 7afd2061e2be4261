package io.updraft.console.cluster;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.view.JsonTable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.storm.Constants;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerSummary;
import org.apache.storm.utils.Utils;

/** Describes a cluster: its daemons, its topologies in short, and their workers. */
final class ClusterJson {
    private static final double BYTES_PER_MB = 1 << 20;
    private static final String NO_VERSION = "VERSION_NOT_PROVIDED";

    private static final JsonTable<NimbusSummary> NIMBUSES = new JsonTable<NimbusSummary>()
            .with("host", NimbusSummary::get_host)
            .with("port", NimbusSummary::get_port)
            .with("leader", NimbusSummary::is_isLeader)
            .with("version", nimbus -> version(nimbus.get_version()))
            .with("uptimeSeconds", NimbusSummary::get_uptime_secs);

    private static final JsonTable<SupervisorSummary> SUPERVISORS = new JsonTable<SupervisorSummary>()
            .with("id", SupervisorSummary::get_supervisor_id)
            .with("host", SupervisorSummary::get_host)
            .with("version", supervisor -> version(supervisor.get_version()))
            .with("uptimeSeconds", SupervisorSummary::get_uptime_secs)
            .with("slots", SupervisorSummary::get_num_workers)
            .with("usedSlots", SupervisorSummary::get_num_used_workers)
            .with("memory", supervisor -> bytes(total(supervisor, Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME)))
            .with("usedMemory", supervisor -> supervisor.is_set_used_mem() ? bytes(supervisor.get_used_mem()) : null)
            .with("cpu", supervisor -> total(supervisor, Constants.COMMON_CPU_RESOURCE_NAME))
            .with("usedCpu", supervisor -> supervisor.is_set_used_cpu() ? supervisor.get_used_cpu() : null);

    private final ClusterState state;

    ClusterJson(ClusterState state) {
        this.state = state;
    }

    /** Returns a version; null for the placeholder of a daemon that gives none. */
    private static String version(String given) {
        return NO_VERSION.equals(given) ? null : given;
    }

    private static Double total(SupervisorSummary supervisor, String resource) {
        return supervisor.get_total_resources() == null
                ? null
                : supervisor.get_total_resources().get(resource);
    }

    private static Double bytes(Double megabytes) {
        return megabytes == null ? null : megabytes * BYTES_PER_MB;
    }

    JsonObject cluster() throws IOException, InterruptedException {
        ClusterSummary cluster = state.cluster();
        return JsonObject.of("nimbuses", NIMBUSES.of(cluster.get_nimbuses()))
                .with("supervisors", SUPERVISORS.of(cluster.get_supervisors()));
    }

    JsonObject overview() throws IOException, InterruptedException {
        List<JsonObject> topologies = new ArrayList<>();
        for (TopologySummary topology : state.cluster().get_topologies()) {
            topologies.add(topology(topology, state.known(topology)));
        }
        return JsonObject.of("time", Instant.now().toString()).with("topologies", topologies);
    }

    /** Describes a topology in short. What only a sample tells is missing without one. */
    JsonObject topology(TopologySummary topology, Optional<TopologySampled> sampled) {
        JsonObject json = JsonObject.of("name", topology.get_name())
                .with("id", topology.get_id())
                .with("kind", "topology")
                .with("state", state(topology.get_status()))
                .with("uptimeSeconds", topology.get_uptime_secs())
                .with(
                        "components",
                        sampled.map(sample -> sample.reading().executors().size())
                                .orElse(null))
                .with("executors", topology.get_num_executors())
                .with("inFlight", null)
                .with("errors", null)
                .with("stuck", List.of())
                .with("hotKeys", List.of());
        sampled.ifPresent(
                sample -> new ReportedTroubles(sample, sample.reading().info().get_errors()).putTo(json));
        json.put("workersOf", state.workersOf(topology));
        json.put("owner", topology.get_owner());
        json.put(
                "workers",
                sampled.map(sample -> workers(sample.reading()).stream()
                                .map(ClusterJson::worker)
                                .toList())
                        .orElse(List.of()));
        json.put(
                "remarks",
                sampled.map(sample -> TopologyRemarks.of(sample, state.isRunOfUpdraft(), state.hasFreeSlots()))
                        .orElse(List.of()));
        return json;
    }

    private static String state(String status) {
        return status.equals("ACTIVE") ? "running" : status.toLowerCase(Locale.ROOT);
    }

    static List<WorkerSummary> workers(TopologyReading reading) {
        List<WorkerSummary> workers = reading.page().get_workers();
        return workers == null ? List.of() : workers;
    }

    /** {@return the name of a worker, which is its place: Nimbus knows no numbers of processes} */
    static String name(String host, int port) {
        return host + ":" + port;
    }

    private static String state(WorkerSummary worker) {
        return worker.get_uptime_secs() > 0 ? "running" : "starting";
    }

    private static JsonObject worker(WorkerSummary worker) {
        return JsonObject.of("worker", name(worker.get_host(), worker.get_port()))
                .with("pid", name(worker.get_host(), worker.get_port()))
                .with("state", state(worker));
    }

    /** Describes the workers of all topologies. */
    JsonObject processes() throws IOException, InterruptedException {
        List<JsonObject> processes = new ArrayList<>();
        for (TopologySummary topology : state.cluster().get_topologies()) {
            Optional<TopologySampled> known = state.known(topology);
            TopologySampled sampled = known.isPresent() ? known.get() : state.sample(topology);
            workers(sampled.reading()).forEach(worker -> processes.add(process(topology, worker)));
        }
        return JsonObject.of("processes", processes);
    }

    private JsonObject process(TopologySummary topology, WorkerSummary worker) {
        JsonObject json = worker(worker);
        json.put("role", "worker");
        json.put("host", worker.get_host());
        json.put("port", worker.get_port());
        json.put("topology", topology.get_name());
        json.put("workersOf", state.workersOf(topology));
        json.put("uptimeMillis", worker.get_uptime_secs() * 1_000L);
        double memory = worker.get_assigned_memonheap() + worker.get_assigned_memoffheap();
        json.put("assignedMemory", memory == 0 ? null : bytes(memory));
        json.put("executors", worker.get_num_executors());
        json.put(
                "components",
                worker.get_component_to_num_tasks() == null
                        ? List.of()
                        : worker.get_component_to_num_tasks().keySet().stream()
                                .filter(component -> !Utils.isSystemId(component))
                                .sorted()
                                .toList());
        return json;
    }
}
