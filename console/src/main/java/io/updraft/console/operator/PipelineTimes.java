package io.updraft.console.operator;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.observe.view.RecordTable;
import java.time.Instant;
import java.util.List;

/** Describes how far the time of a pipeline's data has come as a JSON object. */
final class PipelineTimes {
    private PipelineTimes() {}

    static JsonObject json(PipelineWatermark times) {
        List<PartitionTime> partitions = times.partitions().stream()
                .map(partition -> new PartitionTime(partition.name(), iso(partition.latest())))
                .toList();
        return JsonObject.of("watermark", iso(times.watermark()))
                .with("completeUntil", iso(times.completeUntil()))
                .with("latest", iso(times.latest()))
                .with("slowest", times.slowest())
                .with("partitions", Json.members(RecordTable.of(PartitionTime.class, partitions)))
                .with("morePartitions", times.more());
    }

    private record PartitionTime(String partition, String latest) {}

    private static String iso(long millis) {
        return millis == PipelineWatermark.UNKNOWN
                ? null
                : Instant.ofEpochMilli(millis).toString();
    }
}
