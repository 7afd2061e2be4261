package io.updraft.console.operator;

import io.updraft.observe.pipeline.PipelineWatermark;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes how far the time of a pipeline's data has come as a JSON object. */
final class PipelineTimes {
    private PipelineTimes() {}

    static Map<String, Object> json(PipelineWatermark times) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("watermark", iso(times.watermark()));
        json.put("completeUntil", iso(times.completeUntil()));
        json.put("latest", iso(times.latest()));
        json.put("slowest", times.slowest());
        List<List<String>> rows = times.partitions().stream()
                .map(partition -> Arrays.asList(partition.name(), iso(partition.latest())))
                .toList();
        json.put("partitions", Map.of("columns", List.of("partition", "latest"), "rows", rows));
        json.put("morePartitions", times.more());
        return json;
    }

    private static String iso(long millis) {
        return millis == PipelineWatermark.UNKNOWN
                ? null
                : Instant.ofEpochMilli(millis).toString();
    }
}
