package io.updraft.observe.view;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.metrics.CallInProgress;
import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.engine.metrics.HotKey;
import io.updraft.engine.metrics.InputSnapshot;
import io.updraft.engine.metrics.StreamsSnapshot;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Describes a sample for a page that shows all components and reads it every second: as few bytes as possible. */
public final class LiveJson {
    private static final double NANOS_PER_SECOND = 1e9;

    private static final JsonTable<TopologySample.ComponentRates> COMPONENTS = new JsonTable<
                    TopologySample.ComponentRates>()
            .with("id", TopologySample.ComponentRates::id)
            .with("kind", rates -> rates.now().spout() ? "spout" : "bolt")
            .with(SampleJson.COMPONENT)
            .with("emittedPerSecond", rates -> rounded(rates.emitted()))
            .with("executedPerSecond", rates -> rounded(rates.executed()))
            .with("ackedPerSecond", rates -> rounded(rates.acked()))
            .with("failedPerSecond", rates -> rounded(rates.failed()))
            .with("busy", rates -> rounded(rates.capacity()))
            .with("executeP50Nanos", rates -> known(rates.execute().p50Nanos()))
            .with("executeP99Nanos", rates -> known(rates.execute().p99Nanos()))
            .with("completeP50Nanos", rates -> known(rates.complete().p50Nanos()))
            .with("completeP99Nanos", rates -> known(rates.complete().p99Nanos()));

    private LiveJson() {}

    /** Describes a topology over the interval of the sample, with a row for each component and each edge. */
    public static JsonObject of(TopologySample sample) {
        JsonObject json = SampleJson.findings(sample);
        json.put("kind", "topology");
        Bottleneck.of(sample).ifPresent(bottleneck -> json.put("bottleneckComponent", bottleneck.componentId()));
        if (sample.advice() != null) {
            JsonObject advice = sample.advice().json();
            advice.put(
                    "lines",
                    Stream.of(sample.advice().line())
                            .filter(line -> !line.isEmpty())
                            .toList());
            json.put("advice", advice);
        }
        json.put(
                "remarks",
                TopologyRemarks.of(sample, ZoneId.systemDefault()).stream()
                        .map(remark -> JsonObject.of("text", remark.text())
                                .with("style", remark.style().name().toLowerCase(Locale.ROOT)))
                        .toList());
        json.put(
                "hotKeyComponents",
                sample.now().hotKeys().stream().map(HotKey::to).toList());
        json.put("calls", sample.now().calls().stream().map(LiveJson::call).toList());
        List<TopologySample.ComponentRates> components = sample.components();
        json.put("table", COMPONENTS.of(components));
        json.put("edges", edges(sample, components));
        return json;
    }

    /** {@return a value with three digits at least; more would only cost bytes} */
    public static double rounded(double value) {
        double size = Math.abs(value);
        double unit = size >= 100 ? 1 : size >= 1 ? 100 : 10_000;
        return Math.round(value * unit) / unit;
    }

    /** Returns null for a latency of which nothing was recorded. */
    private static Long known(long nanos) {
        return nanos == 0 ? null : nanos;
    }

    /** Describes a call in progress, without its stack. */
    public static JsonObject call(CallInProgress call) {
        return JsonObject.of("component", call.component())
                .with("task", call.task())
                .with("method", call.method())
                .with("seconds", call.nanos() / NANOS_PER_SECOND)
                .with("thread", call.thread())
                .with("activity", call.activity())
                .with("deadlocked", call.deadlocked())
                .with("place", call.place())
                .with("line", call.describe());
    }

    private static JsonObject edges(TopologySample sample, List<TopologySample.ComponentRates> components) {
        Map<List<String>, Double> rates = new HashMap<>();
        for (TopologySample.ComponentRates component : components) {
            for (InputSnapshot input : inputs(component)) {
                rates.put(
                        List.of(input.component(), input.stream(), component.id()),
                        Math.max(0, input.executed()) / sample.seconds());
            }
        }
        return new JsonTable<EdgeSnapshot>()
                .with("from", EdgeSnapshot::from)
                .with("stream", EdgeSnapshot::stream)
                .with("to", EdgeSnapshot::to)
                .with(
                        "perSecond",
                        edge -> rounded(rates.getOrDefault(List.of(edge.from(), edge.stream(), edge.to()), 0.0)))
                .with("backPressured", EdgeSnapshot::backPressured)
                .of(sample.now().edges());
    }

    private static List<InputSnapshot> inputs(TopologySample.ComponentRates component) {
        StreamsSnapshot now = component.now().streams();
        return component.before() == null
                ? now.inputs()
                : now.since(component.before().streams()).inputs();
    }
}
