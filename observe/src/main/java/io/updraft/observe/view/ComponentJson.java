package io.updraft.observe.view;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    public static Map<String, Object> of(
            TopologySample sample, String component, Function<Integer, Integer> workerOfTask) {
        TopologySample.ComponentRates rates = sample.components().stream()
                .filter(each -> each.id().equals(component))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "topology '" + sample.name() + "' has no component '" + component + "'"));
        return new ComponentJson(sample, rates).json(workerOfTask);
    }

    private Map<String, Object> json(Function<Integer, Integer> workerOfTask) {
        ComponentSnapshot now = rates.now();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("topology", sample.name());
        json.put("id", now.id());
        json.put("kind", now.spout() ? "spout" : "bolt");
        json.put("executors", executors(workerOfTask));
        json.put("inputs", inputs(now));
        json.put("outputs", outputs(now));
        json.put("errors", errors());
        json.put("calls", calls());
        json.put("keys", keys());
        json.put(
                "hotKeys",
                HotKeyLines.of(
                        sample, key -> key.to().equals(now.id()) || key.from().equals(now.id())));
        return json;
    }

    private Map<String, Object> executors(Function<Integer, Integer> workerOfTask) {
        return new JsonTable<TopologySample.ExecutorRates>()
                .with("firstTask", executor -> executor.now().firstTask())
                .with("worker", executor -> workerOfTask.apply(executor.now().firstTask()))
                .with(SampleJson.EXECUTOR)
                .of(rates.executors());
    }

    private static Map<String, Object> inputs(ComponentSnapshot now) {
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

    private static Map<String, Object> outputs(ComponentSnapshot now) {
        return new JsonTable<OutputSnapshot>()
                .with("stream", OutputSnapshot::stream)
                .with("emitted", OutputSnapshot::emitted)
                .with("transferred", OutputSnapshot::transferred)
                .with("acked", OutputSnapshot::acked)
                .with("failed", OutputSnapshot::failed)
                .with("completeMillis", output -> output.complete().meanMillis())
                .of(now.streams().outputs());
    }

    private List<Map<String, Object>> errors() {
        List<Map<String, Object>> errors = new ArrayList<>();
        for (ErrorReport report : sample.now().recentErrors()) {
            if (report.componentId().equals(rates.id())) {
                Map<String, Object> json = SampleJson.error(report);
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

    private List<Map<String, Object>> calls() {
        return sample.now().calls().stream()
                .filter(call -> call.component().equals(rates.id()))
                .map(call -> {
                    Map<String, Object> json = LiveJson.call(call);
                    json.put("stack", call.stack());
                    return json;
                })
                .toList();
    }

    /** Returns the heaviest keys of the tuples that the component gets, as a share of those of the same stream. */
    private List<Map<String, Object>> keys() {
        List<Map<String, Object>> keys = new ArrayList<>();
        for (KeyedStream stream : sample.now().keyed()) {
            if (stream.to().equals(rates.id())) {
                double all = Math.max(1, Arrays.stream(stream.tuplesPerHour()).sum());
                List<String> hot = stream.hotKeys().stream().map(HotKey::key).toList();
                for (KeyRate key : stream.keys()) {
                    Map<String, Object> json = new LinkedHashMap<>();
                    json.put("from", stream.from());
                    json.put("stream", stream.stream());
                    json.put("fields", stream.fields());
                    json.put("key", key.key());
                    json.put("share", key.tuplesPerHour() / all);
                    json.put("perSecond", key.tuplesPerHour() / SECONDS_PER_HOUR);
                    json.put("task", key.task());
                    json.put("hot", hot.contains(key.key()));
                    keys.add(json);
                }
            }
        }
        return keys;
    }
}
