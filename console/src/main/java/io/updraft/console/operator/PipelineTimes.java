package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.pipeline.PipelineWatermark;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Describes how far the time of a pipeline's data has come as a JSON object. */
final class PipelineTimes {
    private PipelineTimes() {}

    static JsonObject json(PipelineWatermark times) {
        JsonObject json = JsonObject.of("watermark", iso(times.watermark()))
                .with("completeUntil", iso(times.completeUntil()))
                .with("latest", iso(times.latest()))
                .with("slowest", times.slowest());
        List<List<String>> rows = times.partitions().stream()
                .map(partition -> Arrays.asList(partition.name(), iso(partition.latest())))
                .toList();
        json.put(
                "partitions",
                JsonObject.of("columns", List.of("partition", "latest")).with("rows", rows));
        json.put("morePartitions", times.more());
        return json;
    }

    private static String iso(long millis) {
        return millis == PipelineWatermark.UNKNOWN
                ? null
                : Instant.ofEpochMilli(millis).toString();
    }
}
