package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.pipeline.ObservedPipeline;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.WindowMemory;
import java.util.Map;

/** Describes the figures of a pipeline as a JSON object. */
final class PipelineFigures {
    private PipelineFigures() {}

    static JsonObject json(ObservedPipeline pipeline, Map<String, Double> rates) {
        PipelineProgress progress = pipeline.progress();
        JsonObject json = JsonObject.of("recordsPerSecond", rates.get("recordsPerSecond"))
                .with("rowsPerSecond", rates.get("rowsPerSecond"))
                .with("records", progress.records())
                .with("rows", progress.rows())
                .with("bytes", progress.bytes())
                .with("rejected", progress.rejected())
                .with("late", progress.late())
                .with("duplicates", progress.duplicates())
                .with("windows", progress.windows())
                .with("groups", progress.groups())
                .with("openWindows", progress.openWindows())
                .with("openGroups", progress.openGroups())
                .with("stateBytes", progress.stateBytes());
        WindowMemory memory = pipeline.memory();
        if (memory != null) {
            json.put("stateLimitBytes", memory.maxBytes());
            json.put("groupLimit", memory.maxGroups() == Long.MAX_VALUE ? null : memory.maxGroups());
            json.put("spilledBytes", memory.spilledBytes() < 0 ? null : memory.spilledBytes());
        }
        json.put("again", progress.again());
        json.put("retries", progress.retries());
        json.put("overflows", progress.overflows());
        json.put("alarms", progress.alarms());
        PipelineProgress.Route route = progress.route();
        if (route != null) {
            route.delivered().forEach((cluster, records) -> json.put("delivered to " + cluster, records));
            json.put("rerouted", route.rerouted());
            json.put("undeliverable", route.failed());
            json.put("waiting", route.waiting());
        }
        return json;
    }
}
