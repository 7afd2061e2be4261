package io.updraft.console.operator;

import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.ComponentJson;
import io.updraft.observe.view.LiveJson;
import io.updraft.observe.view.SampleJson;
import io.updraft.observe.view.TopologySample;
import io.updraft.storm.UpdraftCluster;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    private volatile LaidOut latest = new LaidOut("", Map.of());

    private TopologyDetails(UpdraftCluster cluster, Supplier<List<TopologySample>> samples) {
        this.targets = new Targets(cluster);
        this.samples = samples;
    }

    /** Returns the handlers for the topologies of a cluster, which is shown by the latest samples. */
    public static Map<String, RequestHandler> handlers(UpdraftCluster cluster, Supplier<List<TopologySample>> samples) {
        TopologyDetails details = new TopologyDetails(cluster, samples);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put("overview", request -> details.overview());
        handlers.put("live", request -> LiveJson.of(details.sample(request)));
        handlers.put("graph", details::graph);
        handlers.put("component", details::component);
        return handlers;
    }

    private Map<String, Object> overview() {
        return Map.of(
                "time",
                Instant.now().toString(),
                "topologies",
                samples.get().stream()
                        .map(sample -> {
                            Map<String, Object> state = SampleJson.state(sample);
                            state.put("kind", "topology");
                            return state;
                        })
                        .toList());
    }

    private TopologySample sample(Map<String, Object> request) {
        String name = ProcessRequests.text(request, "topology");
        return samples.get().stream()
                .filter(sample -> sample.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no topology '" + name + "'"));
    }

    private Map<String, Object> graph(Map<String, Object> request) throws NotAliveException {
        Plan plan = targets.of(request).plan();
        LaidOut graph = latest;
        if (!graph.topologyId().equals(plan.id())) {
            graph = new LaidOut(plan.id(), TopologyGraph.of(plan.topology()).json());
            latest = graph;
        }
        return graph.json();
    }

    private Map<String, Object> component(Map<String, Object> request) throws NotAliveException {
        Plan plan = targets.of(request).plan();
        TopologySample sample = sample(request);
        String id = ProcessRequests.text(request, "component");
        Map<Integer, Integer> workers = new HashMap<>();
        for (ExecutorPlan executor : plan.executors()) {
            for (int task : executor.taskIds()) {
                workers.put(task, executor.worker());
            }
        }
        boolean hasWorkers = plan.workers() > 1 || !sample.workers().isEmpty();
        Map<String, Object> json =
                new LinkedHashMap<>(ComponentJson.of(sample, id, task -> hasWorkers ? workers.get(task) : null));
        json.put("type", ComponentType.of(plan.topology(), id));
        return json;
    }

    /** A graph, and the id of its topology. */
    private record LaidOut(String topologyId, Map<String, Object> json) {}
}
