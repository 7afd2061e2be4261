package io.updraft.observe.view;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.HotKey;
import io.updraft.engine.metrics.InputSnapshot;
import io.updraft.engine.metrics.KeyRate;
import io.updraft.engine.metrics.KeyedStream;
import io.updraft.engine.metrics.OutputSnapshot;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Describes one component of a sample in every detail. */
public final class ComponentJson {
    private static final double SECONDS_PER_HOUR = 3600;

    private final TopologySample sample;
    private final TopologySample.ComponentRates rates;

    private ComponentJson(TopologySample sample, TopologySample.ComponentRates rates) {
        this.sample = sample;
        this.rates = rates;
    }

    /**
     * Describes a component.
     *
     * @param component its id
     * @param workerOfTask gives the worker that runs a task
     */
    public static JsonObject of(TopologySample sample, String component, Function<Integer, Integer> workerOfTask) {
        TopologySample.ComponentRates rates = sample.components().stream()
                .filter(each -> each.id().equals(component))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "topology '" + sample.name() + "' has no component '" + component + "'"));
        return new ComponentJson(sample, rates).json(workerOfTask);
    }

    private JsonObject json(Function<Integer, Integer> workerOfTask) {
        ComponentSnapshot now = rates.now();
        return JsonObject.of("topology", sample.name())
                .with("id", now.id())
                .with("kind", now.spout() ? "spout" : "bolt")
                .with("executors", executors(workerOfTask))
                .with("inputs", inputs(now))
                .with("outputs", outputs(now))
                .with("errors", errors())
                .with("calls", calls())
                .with("keys", keys())
                .with(
                        "hotKeys",
                        HotKeyLines.of(
                                sample,
                                key -> key.to().equals(now.id()) || key.from().equals(now.id())));
    }

    private JsonObject executors(Function<Integer, Integer> workerOfTask) {
        return new JsonTable<TopologySample.ExecutorRates>()
                .with("firstTask", executor -> executor.now().firstTask())
                .with("worker", executor -> workerOfTask.apply(executor.now().firstTask()))
                .with(SampleJson.EXECUTOR)
                .of(rates.executors());
    }

    private static JsonObject inputs(ComponentSnapshot now) {
        return new JsonTable<InputSnapshot>()
                .with("component", InputSnapshot::component)
                .with("stream", InputSnapshot::stream)
                .with("executed", InputSnapshot::executed)
                .with("acked", InputSnapshot::acked)
                .with("failed", InputSnapshot::failed)
                .with("executeMillis", input -> input.execute().meanMillis())
                .with("processMillis", input -> input.process().meanMillis())
                .of(now.streams().inputs());
    }

    private static JsonObject outputs(ComponentSnapshot now) {
        return new JsonTable<OutputSnapshot>()
                .with("stream", OutputSnapshot::stream)
                .with("emitted", OutputSnapshot::emitted)
                .with("transferred", OutputSnapshot::transferred)
                .with("acked", OutputSnapshot::acked)
                .with("failed", OutputSnapshot::failed)
                .with("completeMillis", output -> output.complete().meanMillis())
                .of(now.streams().outputs());
    }

    private List<JsonObject> errors() {
        List<JsonObject> errors = new ArrayList<>();
        for (ErrorReport report : sample.now().recentErrors()) {
            if (report.componentId().equals(rates.id())) {
                JsonObject json = SampleJson.error(report);
                json.put("stack", stack(report.error()));
                errors.add(json);
            }
        }
        return errors;
    }

    private static List<String> stack(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString().lines().toList();
    }

    private List<JsonObject> calls() {
        return sample.now().calls().stream()
                .filter(call -> call.component().equals(rates.id()))
                .map(call -> {
                    JsonObject json = LiveJson.call(call);
                    json.put("stack", call.stack());
                    return json;
                })
                .toList();
    }

    /** Returns the heaviest keys of the tuples that the component gets, as a share of those of the same stream. */
    private List<JsonObject> keys() {
        List<JsonObject> keys = new ArrayList<>();
        for (KeyedStream stream : sample.now().keyed()) {
            if (stream.to().equals(rates.id())) {
                double all = Math.max(1, Arrays.stream(stream.tuplesPerHour()).sum());
                List<String> hot = stream.hotKeys().stream().map(HotKey::key).toList();
                for (KeyRate key : stream.keys()) {
                    JsonObject json = JsonObject.of("from", stream.from())
                            .with("stream", stream.stream())
                            .with("fields", stream.fields())
                            .with("key", key.key())
                            .with("share", key.tuplesPerHour() / all)
                            .with("perSecond", key.tuplesPerHour() / SECONDS_PER_HOUR)
                            .with("task", key.task())
                            .with("hot", hot.contains(key.key()));
                    keys.add(json);
                }
            }
        }
        return keys;
    }
}
