package io.updraft.observe.view;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.CallInProgress;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.LastSeen;
import io.updraft.observe.process.WorkerStatus;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Describes samples as JSON objects, for scripts and for commands in another process. */
public final class SampleJson {
    /** The figures of a component over the interval, and since the start. */
    static final JsonTable<TopologySample.ComponentRates> COMPONENT = new JsonTable<TopologySample.ComponentRates>()
            .with("emittedPerSecond", TopologySample.ComponentRates::emitted)
            .with("executedPerSecond", TopologySample.ComponentRates::executed)
            .with("ackedPerSecond", TopologySample.ComponentRates::acked)
            .with("failedPerSecond", TopologySample.ComponentRates::failed)
            .with("busy", TopologySample.ComponentRates::capacity)
            .with("waiting", TopologySample.ComponentRates::waiting)
            .with("executeP50Nanos", rates -> rates.execute().p50Nanos())
            .with("executeP99Nanos", rates -> rates.execute().p99Nanos())
            .with("completeP50Nanos", rates -> rates.complete().p50Nanos())
            .with("completeP99Nanos", rates -> rates.complete().p99Nanos())
            .with("tasks", rates -> rates.now().tasks())
            .with("executors", rates -> rates.now().executors())
            .with("backPressured", rates -> rates.now().backPressured())
            .with("throttled", rates -> rates.now().throttled())
            .with("ownThreads", rates -> rates.now().ownThreads())
            .with("emitted", rates -> rates.now().emitted())
            .with("executed", rates -> rates.now().executed())
            .with("acked", rates -> rates.now().acked())
            .with("failed", rates -> rates.now().failed())
            .with("timedOut", rates -> rates.now().timedOut())
            .with("deadLettered", rates -> rates.now().deadLettered())
            .with("errors", rates -> rates.now().errors())
            .with("restarts", rates -> rates.now().restarts());

    /** The figures of an executor over the interval, and since the start. */
    static final JsonTable<TopologySample.ExecutorRates> EXECUTOR = new JsonTable<TopologySample.ExecutorRates>()
            .with("firstTask", rates -> rates.now().firstTask())
            .with("emittedPerSecond", TopologySample.ExecutorRates::emitted)
            .with("executedPerSecond", TopologySample.ExecutorRates::executed)
            .with("ackedPerSecond", TopologySample.ExecutorRates::acked)
            .with("failedPerSecond", TopologySample.ExecutorRates::failed)
            .with("busy", TopologySample.ExecutorRates::busy)
            .with("emitted", rates -> rates.now().emitted())
            .with("executed", rates -> rates.now().executed())
            .with("acked", rates -> rates.now().acked())
            .with("failed", rates -> rates.now().failed());

    private static final double NANOS_PER_SECOND = 1e9;

    private SampleJson() {}

    /** Describes a topology in short: its name, state and size. */
    public static Map<String, Object> state(TopologySample sample) {
        List<ComponentSnapshot> components = sample.now().components();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", sample.name());
        json.put("state", sample.state());
        json.put("uptimeSeconds", sample.now().uptimeNanos() / NANOS_PER_SECOND);
        json.put("components", components.size());
        json.put(
                "executors",
                components.stream().mapToInt(ComponentSnapshot::executors).sum());
        json.put("inFlight", sample.now().inFlightTrees());
        json.put(
                "errors",
                components.stream().mapToLong(ComponentSnapshot::errors).sum());
        json.put(
                "stuck",
                sample.now().calls().stream().map(CallInProgress::describe).toList());
        json.put("hotKeys", HotKeyLines.of(sample));
        json.put("workers", sample.workers().stream().map(SampleJson::worker).toList());
        return json;
    }

    private static Map<String, Object> worker(WorkerStatus status) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("worker", status.worker());
        json.put("pid", status.pid());
        json.put("state", status.state().name().toLowerCase(Locale.ROOT));
        json.put("restarts", status.restarts());
        json.put("heapUsedBytes", status.usage() == null ? null : status.usage().heapUsedBytes());
        json.put("lastEnd", status.lastEnd() == null ? null : status.lastEnd().toString());
        return json;
    }

    /** Describes the failures of user code: their numbers by component, and the newest ones. */
    public static Map<String, Object> errors(TopologySample sample) {
        Map<String, Object> counts = new LinkedHashMap<>();
        FlowOrder.of(sample.now()).stream()
                .filter(component -> component.errors() > 0)
                .forEach(component -> counts.put(component.id(), component.errors()));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", sample.name());
        json.put("counts", counts);
        json.put(
                "newest",
                sample.now().recentErrors().stream().map(SampleJson::error).toList());
        return json;
    }

    static Map<String, Object> error(ErrorReport report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("time", Instant.ofEpochMilli(report.timeMillis()).toString());
        json.put("component", report.componentId());
        json.put("task", report.taskId());
        json.put("during", report.during());
        json.put("error", String.valueOf(report.error()));
        json.put("consequence", report.consequence());
        json.put("line", ErrorLine.of(report, ZoneId.systemDefault()));
        return json;
    }

    /** Describes the figures of a topology over the interval of the sample. */
    public static Map<String, Object> figures(TopologySample sample) {
        Map<String, Object> json = findings(sample);
        json.put("rates", sample.components().stream().map(SampleJson::rates).toList());
        return json;
    }

    /** Describes the topology as a whole over the interval: its state, and what is wrong. */
    static Map<String, Object> findings(TopologySample sample) {
        Map<String, Object> json = state(sample);
        json.put("intervalSeconds", sample.seconds());
        json.put("loopBusy", Arrays.stream(sample.loopBusy()).boxed().toList());
        json.put("bottleneck", Bottleneck.of(sample).map(Bottleneck::verdict).orElse(null));
        json.put("advice", sample.advice() == null ? null : sample.advice().json());
        json.put(
                "lastSeen",
                sample.now().lastSeen().stream()
                        .map(seen -> lastSeen(seen, sample.now()))
                        .toList());
        return json;
    }

    private static Map<String, Object> lastSeen(LastSeen seen, EngineSnapshot now) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("spout", seen.spout());
        json.put("message", seen.message());
        json.put("inFlight", seen.isInFlight());
        json.put("timedOut", seen.timedOut());
        json.put("seconds", seen.nanos() / NANOS_PER_SECOND);
        json.put("place", TupleHolders.place(seen, now));
        return json;
    }

    private static Map<String, Object> rates(TopologySample.ComponentRates rates) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("component", rates.id());
        COMPONENT.putTo(json, rates);
        json.put(
                "byExecutor",
                rates.executors().stream().map(SampleJson::executor).toList());
        return json;
    }

    private static Map<String, Object> executor(TopologySample.ExecutorRates rates) {
        Map<String, Object> json = new LinkedHashMap<>();
        EXECUTOR.putTo(json, rates);
        return json;
    }
}
