package io.updraft.stormcluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * What Nimbus knows of topologies, and the processes that run them.
 *
 * @param config where Nimbus listens
 * @param mark finds the processes
 */
record Topologies(ClusterConfig config, Mark mark) {

    /** A question to Nimbus. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(Nimbus.Iface client) throws Exception;
    }

    /** Returns the answer, or nothing while Nimbus does not listen or is not the leader yet. */
    private <T> Optional<T> ask(Question<T> question) {
        try (NimbusConnection nimbus = NimbusConnection.open(config.client())) {
            return Optional.ofNullable(question.ask(nimbus.client()));
        } catch (Exception notYet) {
            return Optional.empty();
        }
    }

    /** Returns how many Supervisors have reported. */
    int supervisors() {
        return ask(client -> client.getClusterInfo().get_supervisors().size()).orElse(0);
    }

    Optional<TopologyInfo> info(String name) {
        return ask(client -> client.getTopologyInfoByName(name));
    }

    /** Submits a topology that this JVM has built, without letting it run; returns its id. */
    String submitInactive(String name, Map<String, Object> conf, StormTopology topology, Path jar) throws Exception {
        String uploaded = StormSubmitter.submitJar(config.client(), jar.toString());
        try (NimbusConnection nimbus = NimbusConnection.open(config.client())) {
            SubmitOptions inactive = new SubmitOptions(TopologyInitialStatus.INACTIVE);
            nimbus.client().submitTopologyWithOpts(name, uploaded, JSONValue.toJSONString(conf), topology, inactive);
            return nimbus.client().getTopologySummaryByName(name).get_id();
        }
    }

    void activate(String name) throws Exception {
        try (NimbusConnection nimbus = NimbusConnection.open(config.client())) {
            nimbus.client().activate(name);
        }
    }

    /** Asks Nimbus to end a topology without waiting. Nothing happens if there is none of that name. */
    void kill(String name) {
        ask(client -> {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            client.killTopologyWithOpts(name, now);
            return true;
        });
    }

    /** Tells whether Nimbus answers, and knows no topology of that name. */
    boolean isUnknown(String name) {
        return ask(Nimbus.Iface::getClusterInfo)
                .map(cluster -> cluster.get_topologies().stream()
                        .noneMatch(topology -> topology.get_name().equals(name)))
                .orElse(false);
    }

    /** Returns the live worker JVMs of a topology. */
    List<WorkerProcess> workers(String name) {
        return id(name).map(this::workersOf).orElse(List.of());
    }

    Optional<WorkerProcess> workerOf(String name, String component) {
        Optional<Integer> port = info(name)
                .flatMap(info -> info.get_executors().stream()
                        .filter(executor ->
                                executor.get_component_id().equals(component) && executor.get_uptime_secs() > 0)
                        .map(ExecutorSummary::get_port)
                        .findFirst());
        return workers(name).stream()
                .filter(worker -> port.isPresent() && worker.port() == port.get())
                .findFirst();
    }

    /** Returns Storm's name of a topology, which no other ever has had or will have. */
    Optional<String> id(String name) {
        return ask(Nimbus.Iface::getClusterInfo).stream()
                .flatMap(cluster -> cluster.get_topologies().stream())
                .filter(topology -> topology.get_name().equals(name))
                .map(TopologySummary::get_id)
                .findFirst();
    }

    /** Returns the live worker JVMs of a topology that Nimbus may have forgotten. */
    List<WorkerProcess> workersOf(String id) {
        return mark.processes().stream()
                .flatMap(process -> WorkerProcess.of(process).stream())
                .filter(worker -> worker.topologyId().equals(id))
                .toList();
    }
}
