package io.updraft.stormcluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * Nimbus' information about topologies, and the processes of their workers.
 *
 * @param client the configuration for requests to Nimbus; created once, because parsing Storm's defaults takes time
 * @param mark identifies the processes
 */
record Topologies(Map<String, Object> client, Mark mark) {

    /** Sends a request. Returns the result, or empty while Nimbus does not listen or is not the leader yet. */
    private <T> Optional<T> ask(NimbusRequest<T> question) {
        try (NimbusConnection nimbus = NimbusConnection.forQuestion(client)) {
            return Optional.ofNullable(question.send(nimbus.client()));
        } catch (Exception notYet) {
            return Optional.empty();
        }
    }

    /** Sends a request once. */
    <T> T call(NimbusRequest<T> order) throws Exception {
        try (NimbusConnection nimbus = NimbusConnection.forOrder(client)) {
            return order.send(nimbus.client());
        }
    }

    /** Returns the number of Supervisors that have reported. */
    int supervisors() {
        return ask(client -> client.getClusterInfo().get_supervisors().size()).orElse(0);
    }

    Optional<TopologyInfo> info(String name) {
        return ask(client -> client.getTopologyInfoByName(name));
    }

    /** Returns whether there is a leading Nimbus, which accepts requests. */
    boolean isLed() {
        return ask(Nimbus.Iface::getLeader).isPresent();
    }

    /** Submits an inactive topology that this JVM has built. */
    void submitInactive(String name, Map<String, Object> conf, StormTopology topology, Path jar) throws Exception {
        String uploaded = StormSubmitter.submitJar(client, jar.toString());
        try (NimbusConnection nimbus = NimbusConnection.forOrder(client)) {
            SubmitOptions inactive = new SubmitOptions(TopologyInitialStatus.INACTIVE);
            nimbus.client().submitTopologyWithOpts(name, uploaded, JSONValue.toJSONString(conf), topology, inactive);
        }
    }

    /** Requests the kill of a topology. Returns whether Nimbus has accepted the request or has no topology of that name. */
    boolean kill(String name, int waitSecs) {
        return ask(client -> {
                    KillOptions options = new KillOptions();
                    options.set_wait_secs(waitSecs);
                    try {
                        client.killTopologyWithOpts(name, options);
                    } catch (NotAliveException none) {
                        return true;
                    }
                    return true;
                })
                .orElse(false);
    }

    /** Returns whether Nimbus answers and has no topology of that name. */
    boolean isUnknown(String name) {
        return ask(Nimbus.Iface::getClusterInfo)
                .map(cluster -> cluster.get_topologies().stream()
                        .noneMatch(topology -> topology.get_name().equals(name)))
                .orElse(false);
    }

    /** Returns the live worker JVMs of a topology, even if Nimbus has removed it. Sends no request to Nimbus. */
    List<WorkerProcess> workers(String name) {
        // Nimbus' ids of topologies: the name, the number of earlier topologies, and the time in seconds.
        Pattern id = Pattern.compile(Pattern.quote(name) + "-\\d+-\\d+");
        return mark.processes().stream()
                .flatMap(process -> WorkerProcess.of(process).stream())
                .filter(worker -> id.matcher(worker.topologyId()).matches())
                .toList();
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
}
