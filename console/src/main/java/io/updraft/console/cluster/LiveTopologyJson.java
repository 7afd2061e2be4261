package io.updraft.console.cluster;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.view.JsonTable;
import io.updraft.observe.view.LiveJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Describes a topology of a cluster at this moment: a row for each component and each edge. What Storm does not know is null. */
final class LiveTopologyJson {
    private static final String LATENCIES =
            "latencies are means of the last ten minutes: Storm knows no percentiles, and no tuples in flight or in queues";

    static final JsonTable<TopologySampled.Component> COMPONENT = new JsonTable<TopologySampled.Component>()
            .with("id", TopologySampled.Component::id)
            .with("kind", component -> component.spout() ? "spout" : "bolt")
            .with("executors", component -> component.executors().size())
            .with("tasks", TopologySampled.Component::tasks)
            .with("emittedPerSecond", component -> rounded(component.rates().emitted()))
            .with(
                    "executedPerSecond",
                    component ->
                            component.spout() ? null : rounded(component.rates().executed()))
            .with("ackedPerSecond", component -> rounded(component.rates().acked()))
            .with("failedPerSecond", component -> rounded(component.rates().failed()))
            .with("busy", component -> component.busy() == null ? null : rounded(component.busy()))
            .with("executeP50Nanos", TopologySampled.Component::executeNanos)
            .with("completeP50Nanos", TopologySampled.Component::completeNanos)
            .with("emitted", component -> (long) component.total().emitted())
            .with(
                    "executed",
                    component -> component.spout()
                            ? null
                            : (Object) (long) component.total().executed())
            .with("acked", component -> (long) component.total().acked())
            .with("failed", component -> (long) component.total().failed());

    private LiveTopologyJson() {}

    private static double rounded(double value) {
        return LiveJson.rounded(value);
    }

    /**
     * Adds the members to those of the overview.
     *
     * @param overview the members of the overview
     * @param sampled the sample
     * @param troubles what the workers have reported
     */
    static JsonObject of(JsonObject overview, TopologySampled sampled, ReportedTroubles troubles) {
        JsonObject json = new JsonObject(overview);
        Optional<TopologySampled.Component> bottleneck = TopologyRemarks.bottleneck(sampled);
        json.put("intervalSeconds", sampled.rates().seconds());
        json.put("loopBusy", List.of());
        json.put("bottleneck", bottleneck.map(TopologyRemarks::verdict).orElse(null));
        json.put(
                "bottleneckComponent",
                bottleneck.map(TopologySampled.Component::id).orElse(null));
        json.put("advice", null);
        json.put("lastSeen", List.of());
        troubles.putTo(json);
        json.put("calls", troubles.calls(false));
        json.put("table", COMPONENT.of(sampled.components()));
        json.put("edges", edges(sampled));
        List<Object> remarks = new ArrayList<>();
        if (json.get("remarks") instanceof List<?> known) {
            remarks.addAll(known);
        }
        remarks.add(JsonObject.of("text", LATENCIES).with("style", "plain"));
        json.put("remarks", remarks);
        return json;
    }

    private static JsonObject edges(TopologySampled sampled) {
        List<TopologyReading.Edge> edges = sampled.reading().counts().keySet().stream()
                .filter(TopologyReading.Edge.class::isInstance)
                .map(TopologyReading.Edge.class::cast)
                .toList();
        return new JsonTable<TopologyReading.Edge>()
                .with("from", TopologyReading.Edge::from)
                .with("stream", TopologyReading.Edge::stream)
                .with("to", TopologyReading.Edge::to)
                .with("perSecond", edge -> rounded(sampled.rates().of(edge).executed()))
                .with("backPressured", edge -> null)
                .of(edges);
    }
}
