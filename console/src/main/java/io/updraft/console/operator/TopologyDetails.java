package io.updraft.console.operator;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.ComponentPageView;
import io.updraft.observe.view.LiveTopologyView;
import io.updraft.observe.view.TopologySample;
import io.updraft.observe.view.TopologyView;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;

/**
 * Answers the requests of the console about the topologies of a run: {@code overview}, {@code live}, {@code graph} and {@code
 * component}. Figures come from the latest samples, as those of {@link TopologyRequests} do.
 */
public final class TopologyDetails {
    private final RunTopologies all;

    /** The graph that was laid out last, and the topology that it shows. */
    private volatile LaidOut latest = new LaidOut(null, JsonObject.of());

    private TopologyDetails(RunTopologies all) {
        this.all = all;
    }

    /** Returns the handlers for the topologies of a run. */
    public static Map<String, RequestHandler> handlers(RunTopologies all) {
        TopologyDetails details = new TopologyDetails(all);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put("overview", request -> details.overview());
        handlers.put("live", request -> Json.members(LiveTopologyView.of(details.sample(request))));
        handlers.put("graph", details::graph);
        handlers.put("component", details::component);
        return handlers;
    }

    private JsonObject overview() {
        return JsonObject.of("time", Instant.now().toString())
                .with("topologies", all.latest().stream().map(TopologyView::of).toList());
    }

    private TopologySample sample(JsonObject request) {
        return all.samples(JsonObject.of("topology", request.text("topology"))).get(0);
    }

    private JsonObject graph(JsonObject request) throws NotAliveException {
        Plan plan = all.target(request).plan();
        LaidOut graph = latest;
        if (graph.topology() != plan.topology()) {
            graph = new LaidOut(
                    plan.topology(), TopologyGraph.of(plan.topology()).json());
            latest = graph;
        }
        return graph.json();
    }

    private JsonObject component(JsonObject request) throws NotAliveException {
        Plan plan = all.target(request).plan();
        TopologySample sample = sample(request);
        String id = request.text("component");
        Map<Integer, Integer> workers = new HashMap<>();
        for (ExecutorPlan executor : plan.executors()) {
            for (int task : executor.taskIds()) {
                workers.put(task, executor.worker());
            }
        }
        boolean hasWorkers = plan.workers() > 1 || !sample.workers().isEmpty();
        return Json.members(ComponentPageView.of(
                sample, id, ComponentType.of(plan.topology(), id), task -> hasWorkers ? workers.get(task) : null));
    }

    /** A graph, and its topology; null for none. */
    private record LaidOut(StormTopology topology, JsonObject json) {}
}
