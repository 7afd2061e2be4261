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
import io.updraft.storm.UpdraftCluster;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.generated.NotAliveException;

/**
 * Answers the requests of the console about the topologies of a run: {@code overview}, {@code live}, {@code graph} and {@code
 * component}. Figures come from the latest samples, as those of {@link TopologyRequests} do.
 */
public final class TopologyDetails {
    private final Targets targets;
    private final Supplier<List<TopologySample>> samples;

    /** The graph that was laid out last, and the topology that it shows. */
    private volatile LaidOut latest = new LaidOut("", JsonObject.of());

    private TopologyDetails(UpdraftCluster cluster, Supplier<List<TopologySample>> samples) {
        this.targets = new Targets(cluster);
        this.samples = samples;
    }

    /** Returns the handlers for the topologies of a cluster, which is shown by the latest samples. */
    public static Map<String, RequestHandler> handlers(UpdraftCluster cluster, Supplier<List<TopologySample>> samples) {
        TopologyDetails details = new TopologyDetails(cluster, samples);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put("overview", request -> details.overview());
        handlers.put("live", request -> Json.members(LiveTopologyView.of(details.sample(request))));
        handlers.put("graph", details::graph);
        handlers.put("component", details::component);
        return handlers;
    }

    private JsonObject overview() {
        return JsonObject.of("time", Instant.now().toString())
                .with("topologies", samples.get().stream().map(TopologyView::of).toList());
    }

    private TopologySample sample(JsonObject request) {
        String name = request.text("topology");
        return samples.get().stream()
                .filter(sample -> sample.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no topology '" + name + "'"));
    }

    private JsonObject graph(JsonObject request) throws NotAliveException {
        Plan plan = targets.of(request).plan();
        LaidOut graph = latest;
        if (!graph.topologyId().equals(plan.id())) {
            graph = new LaidOut(plan.id(), TopologyGraph.of(plan.topology()).json());
            latest = graph;
        }
        return graph.json();
    }

    private JsonObject component(JsonObject request) throws NotAliveException {
        Plan plan = targets.of(request).plan();
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

    /** A graph, and the id of its topology. */
    private record LaidOut(String topologyId, JsonObject json) {}
}
