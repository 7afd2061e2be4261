package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.timeseries.query.WindowSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WatermarkSummaryTest {

    private static final WindowSpec WINDOWS =
            new WindowSpec(Duration.ofMillis(30), Duration.ofMillis(10), Duration.ZERO);

    @Test
    void shouldNameThePartitionThatSetsTheWatermarkOfAllTasks() {
        TaskWatermark one = TaskWatermark.NONE.with(95, "a").with(70, null).with(Long.MAX_VALUE, null);
        TaskWatermark other = TaskWatermark.NONE.with(87, "b");
        PipelineWatermark all = WatermarkSummary.of(
                Long.MIN_VALUE, Map.of("a", 100L, "b", 92L, "c", 75L), List.of(one, other), WINDOWS);
        assertThat(all)
                .isEqualTo(new PipelineWatermark(
                        87,
                        80,
                        100,
                        "b",
                        List.of(
                                new PipelineWatermark.Partition("c", 75),
                                new PipelineWatermark.Partition("b", 92),
                                new PipelineWatermark.Partition("a", 100)),
                        0));
    }

    @Test
    void shouldNotKnowTheWatermarkWhileAPartitionHasNoRow() {
        List<TaskWatermark> tasks = List.of(TaskWatermark.NONE.with(95, "a").with(Long.MIN_VALUE, "b"));
        PipelineWatermark all =
                WatermarkSummary.of(Long.MIN_VALUE, Map.of("a", 95L, "b", Long.MIN_VALUE), tasks, WINDOWS);
        assertThat(all.watermark()).isEqualTo(PipelineWatermark.UNKNOWN);
        assertThat(all.completeUntil()).isEqualTo(PipelineWatermark.UNKNOWN);
        assertThat(all.slowest()).isEqualTo("b");
        assertThat(all.latest()).isEqualTo(95);
    }

    @Test
    void shouldTakeTheLatestTimeOfIdlePartitionsIfNoneIsActive() {
        List<TaskWatermark> tasks =
                List.of(TaskWatermark.NONE.with(70, null).with(95, null), TaskWatermark.NONE.with(60, null));
        PipelineWatermark all = WatermarkSummary.of(200, Map.of("a", 95L), tasks, WINDOWS);
        assertThat(all.watermark()).isEqualTo(95);
        assertThat(all.completeUntil()).isEqualTo(90);
        assertThat(all.slowest()).isNull();
        assertThat(all.latest()).as("of a partition that has ended").isEqualTo(200);
    }

    @Test
    void shouldNameTheTenPartitionsWithTheEarliestTimes() {
        Map<String, Long> times = new HashMap<>();
        for (long i = 0; i < 25; i++) {
            times.put("p" + i, 100 - i);
        }
        PipelineWatermark all = WatermarkSummary.of(Long.MIN_VALUE, times, List.of(), WINDOWS);
        assertThat(all.partitions()).hasSize(10).first().isEqualTo(new PipelineWatermark.Partition("p24", 76));
        assertThat(all.more()).isEqualTo(15);
        assertThat(all.watermark()).isEqualTo(PipelineWatermark.UNKNOWN);
    }
}
