package io.updraft.pipeline.run;

import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.timeseries.query.WindowSpec;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Summarizes the times of partitions and the watermarks of tasks. */
final class WatermarkSummary {

    /** With any disorder, the watermark is long before all rows. */
    private static final long EARLIEST = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();

    private static final Comparator<PipelineWatermark.Partition> ORDER = Comparator.comparingLong(
                    PipelineWatermark.Partition::latest)
            .thenComparing(PipelineWatermark.Partition::name);

    private WatermarkSummary() {}

    /**
     * Makes the summary.
     *
     * @param latestBefore the latest time that was known before: partitions that have ended are not among the times
     * @param times the latest time of a row, by partition, milliseconds since 1970; {@link Long#MIN_VALUE} if there is none
     */
    public static PipelineWatermark of(
            long latestBefore, Map<String, Long> times, List<TaskWatermark> tasks, WindowSpec windows) {
        TaskWatermark slowestTask = tasks.stream().reduce(TaskWatermark.NONE, TaskWatermark::and);
        long watermark = slowestTask.time() < EARLIEST ? PipelineWatermark.UNKNOWN : slowestTask.time();
        List<PipelineWatermark.Partition> earliest = times.entrySet().stream()
                .map(time -> new PipelineWatermark.Partition(time.getKey(), time.getValue()))
                .sorted(ORDER)
                .limit(LagRanking.WORST)
                .toList();
        return new PipelineWatermark(
                watermark,
                completeUntil(watermark, windows),
                times.values().stream().mapToLong(Long::longValue).reduce(latestBefore, Math::max),
                slowestTask.slowest(),
                earliest,
                times.size() - earliest.size());
    }

    private static long completeUntil(long watermark, WindowSpec windows) {
        if (watermark == PipelineWatermark.UNKNOWN || windows.size().equals(WindowSpec.ALL_TIME.size())) {
            return PipelineWatermark.UNKNOWN;
        }
        return windows.closings().start(watermark);
    }
}
