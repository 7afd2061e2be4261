package io.updraft.console.operator;

import io.updraft.observe.pipeline.ObservedPipeline;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.WindowMemory;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the figures of a pipeline as a JSON object. */
final class PipelineFigures {
    private PipelineFigures() {}

    static Map<String, Object> json(ObservedPipeline pipeline, Map<String, Double> rates) {
        PipelineProgress progress = pipeline.progress();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("recordsPerSecond", rates.get("recordsPerSecond"));
        json.put("rowsPerSecond", rates.get("rowsPerSecond"));
        json.put("records", progress.records());
        json.put("rows", progress.rows());
        json.put("bytes", progress.bytes());
        json.put("bad", progress.bad());
        json.put("late", progress.late());
        json.put("windows", progress.windows());
        json.put("groups", progress.groups());
        json.put("openWindows", progress.openWindows());
        json.put("openGroups", progress.openGroups());
        json.put("stateBytes", progress.stateBytes());
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
