package io.updraft.console.cluster;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.console.operator.TopologyGraph;
import io.updraft.observe.history.Histories;
import io.updraft.observe.history.HistoryRequest;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.Remarks;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;

/** Answers the requests of the console of a cluster. */
final class ClusterRequests {
    /** The number of graphs that are kept. */
    private static final int MAX_GRAPHS = 32;

    private final ClusterState state;
    private final ClusterJson json;

    /** The graphs of topologies by id, the latest ones. Guarded by itself. */
    private final Map<String, JsonObject> graphs = new LinkedHashMap<>();

    private ClusterRequests(ClusterState state) {
        this.state = state;
        this.json = new ClusterJson(state);
    }

    /** Returns the handlers; they take no actions on workers if Nimbus is a run of Updraft, which has none for them. */
    static Map<String, RequestHandler> handlers(ClusterState state, Histories histories) {
        ClusterRequests requests = new ClusterRequests(state);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put("cluster", request -> requests.json.cluster());
        handlers.put("overview", request -> requests.json.overview());
        handlers.put("processes", request -> requests.json.processes());
        handlers.put("live", requests::live);
        handlers.put("graph", requests::graph);
        handlers.put("component", requests::component);
        handlers.put("errors", requests::errors);
        HistoryRequest history = new HistoryRequest(histories);
        handlers.put("history", request -> {
            // Keeps the reads once a second while somebody looks.
            state.cluster();
            return history.answer(request);
        });
        WorkerActions workers = new WorkerActions(state);
        ClusterActions actions = new ClusterActions(state, workers);
        handlers.put("activate", actions::activate);
        handlers.put("deactivate", actions::deactivate);
        handlers.put("kill", actions::kill);
        handlers.put("rebalance", actions::rebalance);
        handlers.put("debug", actions::debug);
        handlers.put(ProcessRequests.LOG_LEVEL, actions::logLevel);
        if (!state.isRunOfUpdraft()) {
            handlers.put(ProcessRequests.HEAP, workers::heap);
            handlers.put(ProcessRequests.PROFILE, workers::profile);
            handlers.put("thread-dump", workers::threads);
            handlers.put("restart-worker", workers::restart);
        }
        return handlers;
    }

    private JsonObject live(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        TopologySampled sampled = state.sample(topology);
        ReportedTroubles troubles =
                new ReportedTroubles(sampled, errors(topology, sampled).get_errors());
        Remarks remarks = json.remarks(sampled, troubles);
        return Json.members(
                new ClusterTopology(sampled).live(json.topology(topology, Optional.of(sampled), remarks), remarks));
    }

    /** Returns the newest error of each component; all errors if they may tell more of what Updraft's workers are doing. */
    private TopologyInfo errors(TopologySummary topology, TopologySampled sampled) throws Exception {
        return state.workersOf(topology).equals(ClusterState.UPDRAFT) && ReportedTroubles.mayBeHidden(sampled)
                ? state.read(new ClusterCalls.Errors(topology.get_id()))
                : sampled.reading().info();
    }

    private JsonObject graph(JsonObject request) throws Exception {
        String id = state.summary(request).get_id();
        synchronized (graphs) {
            if (graphs.containsKey(id)) {
                return graphs.get(id);
            }
        }
        JsonObject graph =
                TopologyGraph.of(state.read(new ClusterCalls.Structure(id))).json();
        synchronized (graphs) {
            graphs.put(id, graph);
            if (graphs.size() > MAX_GRAPHS) {
                graphs.remove(graphs.keySet().iterator().next());
            }
        }
        return graph;
    }

    private JsonObject component(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        String component = request.text("component");
        TopologySampled sampled = state.sample(topology);
        if (!sampled.reading().executors().containsKey(component)) {
            throw new IllegalArgumentException(
                    "topology '" + topology.get_name() + "' has no component '" + component + "' with executors");
        }
        return Json.members(new ClusterTopology(sampled)
                .component(
                        state.read(new ClusterCalls.Structure(topology.get_id())),
                        state.read(new ClusterCalls.Component(topology.get_id(), component))));
    }

    private JsonObject errors(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        return JsonObject.of(
                "topologies", List.of(NimbusErrors.topology(state.read(new ClusterCalls.Errors(topology.get_id())))));
    }
}
