package io.updraft.observe.view;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.CallInProgress;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.LastSeen;
import io.updraft.observe.process.WorkerStatus;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

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
    public static JsonObject state(TopologySample sample) {
        List<ComponentSnapshot> components = sample.now().components();
        return JsonObject.of("name", sample.name())
                .with("state", sample.state())
                .with("uptimeSeconds", sample.now().uptimeNanos() / NANOS_PER_SECOND)
                .with("components", components.size())
                .with(
                        "executors",
                        components.stream()
                                .mapToInt(ComponentSnapshot::executors)
                                .sum())
                .with("inFlight", sample.now().inFlightTrees())
                .with(
                        "errors",
                        components.stream().mapToLong(ComponentSnapshot::errors).sum())
                .with(
                        "stuck",
                        sample.now().calls().stream()
                                .map(CallInProgress::describe)
                                .toList())
                .with("hotKeys", HotKeyLines.of(sample))
                .with(
                        "workers",
                        sample.workers().stream().map(SampleJson::worker).toList());
    }

    private static JsonObject worker(WorkerStatus status) {
        return JsonObject.of("worker", status.worker())
                .with("pid", status.pid())
                .with("state", status.state().name().toLowerCase(Locale.ROOT))
                .with("restarts", status.restarts())
                .with(
                        "heapUsedBytes",
                        status.usage() == null ? null : status.usage().heapUsedBytes())
                .with(
                        "lastEnd",
                        status.lastEnd() == null ? null : status.lastEnd().toString());
    }

    /** Describes the failures of user code: their numbers by component, and the newest ones. */
    public static JsonObject errors(TopologySample sample) {
        JsonObject counts = new JsonObject();
        FlowOrder.of(sample.now()).stream()
                .filter(component -> component.errors() > 0)
                .forEach(component -> counts.put(component.id(), component.errors()));
        return JsonObject.of("name", sample.name())
                .with("counts", counts)
                .with(
                        "newest",
                        sample.now().recentErrors().stream()
                                .map(SampleJson::error)
                                .toList());
    }

    static JsonObject error(ErrorReport report) {
        return JsonObject.of("time", Instant.ofEpochMilli(report.timeMillis()).toString())
                .with("component", report.componentId())
                .with("task", report.taskId())
                .with("during", report.during())
                .with("error", String.valueOf(report.error()))
                .with("consequence", report.consequence())
                .with("line", ErrorLine.of(report, ZoneId.systemDefault()));
    }

    /** Describes the figures of a topology over the interval of the sample. */
    public static JsonObject figures(TopologySample sample) {
        return findings(sample)
                .with(
                        "rates",
                        sample.components().stream().map(SampleJson::rates).toList());
    }

    /** Describes the topology as a whole over the interval: its state, and what is wrong. */
    static JsonObject findings(TopologySample sample) {
        return state(sample)
                .with("intervalSeconds", sample.seconds())
                .with("loopBusy", Arrays.stream(sample.loopBusy()).boxed().toList())
                .with(
                        "bottleneck",
                        Bottleneck.of(sample).map(Bottleneck::verdict).orElse(null))
                .with("advice", sample.advice() == null ? null : sample.advice().json())
                .with(
                        "lastSeen",
                        sample.now().lastSeen().stream()
                                .map(seen -> lastSeen(seen, sample.now()))
                                .toList());
    }

    private static JsonObject lastSeen(LastSeen seen, EngineSnapshot now) {
        return JsonObject.of("spout", seen.spout())
                .with("message", seen.message())
                .with("inFlight", seen.isInFlight())
                .with("timedOut", seen.timedOut())
                .with("seconds", seen.nanos() / NANOS_PER_SECOND)
                .with("place", TupleHolders.place(seen, now));
    }

    private static JsonObject rates(TopologySample.ComponentRates rates) {
        JsonObject json = JsonObject.of("component", rates.id());
        COMPONENT.putTo(json, rates);
        json.put(
                "byExecutor",
                rates.executors().stream().map(SampleJson::executor).toList());
        return json;
    }

    private static JsonObject executor(TopologySample.ExecutorRates rates) {
        JsonObject json = new JsonObject();
        EXECUTOR.putTo(json, rates);
        return json;
    }
}
