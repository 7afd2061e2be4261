package io.updraft.cli.operator;

import io.updraft.pipeline.PipelineProgress;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes the counts of a pipeline as a JSON object. */
final class PipelineFigures {
    private PipelineFigures() {}

    static Map<String, Object> json(PipelineProgress progress) {
        Map<String, Object> json = new LinkedHashMap<>();
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
