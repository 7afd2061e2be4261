package io.updraft.console.cluster;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.view.RecordTable;
import io.updraft.observe.view.Remarks;
import io.updraft.observe.view.TopologyView;
import io.updraft.observe.view.WorkerView;
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

    /** A Nimbus; its version is null if it gives none. */
    private record NimbusView(String host, int port, boolean leader, String version, int uptimeSeconds) {
        static NimbusView of(NimbusSummary nimbus) {
            return new NimbusView(
                    nimbus.get_host(),
                    nimbus.get_port(),
                    nimbus.is_isLeader(),
                    ClusterJson.version(nimbus.get_version()),
                    nimbus.get_uptime_secs());
        }
    }

    /** A Supervisor with its slots, its memory in bytes and its CPU in percent of a core; null where it does not say. */
    private record SupervisorView(
            String id,
            String host,
            String version,
            int uptimeSeconds,
            int slots,
            int usedSlots,
            Double memory,
            Double usedMemory,
            Double cpu,
            Double usedCpu) {
        static SupervisorView of(SupervisorSummary supervisor) {
            return new SupervisorView(
                    supervisor.get_supervisor_id(),
                    supervisor.get_host(),
                    ClusterJson.version(supervisor.get_version()),
                    supervisor.get_uptime_secs(),
                    supervisor.get_num_workers(),
                    supervisor.get_num_used_workers(),
                    bytes(total(supervisor, Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME)),
                    supervisor.is_set_used_mem() ? bytes(supervisor.get_used_mem()) : null,
                    total(supervisor, Constants.COMMON_CPU_RESOURCE_NAME),
                    supervisor.is_set_used_cpu() ? Double.valueOf(supervisor.get_used_cpu()) : null);
        }
    }

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
        return JsonObject.of(
                        "nimbuses",
                        RecordTable.of(
                                NimbusView.class,
                                cluster.get_nimbuses().stream()
                                        .map(NimbusView::of)
                                        .toList()))
                .with(
                        "supervisors",
                        RecordTable.of(
                                SupervisorView.class,
                                cluster.get_supervisors().stream()
                                        .map(SupervisorView::of)
                                        .toList()));
    }

    JsonObject overview() throws IOException, InterruptedException {
        List<TopologyView> topologies = new ArrayList<>();
        for (TopologySummary topology : state.cluster().get_topologies()) {
            Optional<TopologySampled> sampled = state.latest(topology);
            Remarks remarks = sampled.map(sample -> remarks(sample, ReportedTroubles.ofNewest(sample)))
                    .orElseGet(Remarks::new);
            topologies.add(topology(topology, sampled, remarks));
        }
        return JsonObject.of("time", Instant.now().toString()).with("topologies", topologies);
    }

    /** Describes a topology in short. What only a sample tells is missing without one. */
    TopologyView topology(TopologySummary topology, Optional<TopologySampled> sampled, Remarks remarks) {
        String state = state(topology.get_status());
        return new TopologyView(
                topology.get_name(),
                "topology",
                state,
                remarks.state(state),
                topology.get_uptime_secs(),
                sampled.map(sample -> sample.reading().executors().size()).orElse(null),
                topology.get_num_executors(),
                null,
                null,
                remarks.views(),
                sampled.map(sample -> workers(sample.reading()).stream()
                                .map(ClusterJson::worker)
                                .toList())
                        .orElse(List.of()),
                new TopologyView.OfCluster(topology.get_id(), topology.get_owner(), this.state.workersOf(topology)));
    }

    Remarks remarks(TopologySampled sampled, ReportedTroubles troubles) {
        return ClusterRemarks.of(sampled, troubles, state.isRunOfUpdraft(), state.hasFreeSlots());
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

    private static WorkerView worker(WorkerSummary worker) {
        String name = name(worker.get_host(), worker.get_port());
        return new WorkerView(name, name, state(worker), null);
    }

    /** Describes the workers of all topologies. */
    JsonObject processes() throws IOException, InterruptedException {
        List<JsonObject> processes = new ArrayList<>();
        for (TopologySummary topology : state.cluster().get_topologies()) {
            Optional<TopologySampled> newest = state.latest(topology);
            TopologySampled sampled = newest.isPresent() ? newest.get() : state.sample(topology);
            workers(sampled.reading()).forEach(worker -> processes.add(process(topology, worker)));
        }
        return JsonObject.of("processes", processes);
    }

    private JsonObject process(TopologySummary topology, WorkerSummary worker) {
        JsonObject json = Json.members(worker(worker));
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
