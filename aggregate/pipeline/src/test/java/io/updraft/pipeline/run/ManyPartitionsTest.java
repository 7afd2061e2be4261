package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a task does for one of many partitions does not depend on how many there are. */
final class ManyPartitionsTest {

    private static final int PARTITIONS = 5_000;
    private static final WindowSpec MINUTES = WindowSpec.tumbling(Duration.ofMinutes(1));

    private final ShareWindows shareWindows = windows();
    private final List<Partition> partitions = new ArrayList<>();
    private final List<PartitionProgress> states = new ArrayList<>();

    private static ShareWindows windows() {
        Query query = new Query(
                new Schema(List.of(new Schema.Field("n", FieldType.LONG))),
                List.of(),
                List.of(new Measure("n", AggregateFunction.COUNT, null, 0)),
                MINUTES);
        return new ShareWindows(
                Aggregators.create(query, AggregatorOptions.inMemory()),
                null,
                0,
                new ShareWindows.Bounds(MINUTES),
                null);
    }

    private void openAll() {
        for (int i = 0; i < PARTITIONS; i++) {
            Partition.Share share = new Partition.Share("g" + i, 1, null);
            Partition partition =
                    new Partition("u" + i, share, 0, ProcessedRanges.NONE, new AtomicLong(), position -> "");
            PartitionProgress state = new PartitionProgress(partition, 0, false);
            shareWindows.open(state, Long.MIN_VALUE);
            partitions.add(partition);
            states.add(state);
        }
    }

    @Test
    void shouldReportOnlyThePartitionsThatHaveChanged() {
        openAll();
        int reported = 0;
        for (int i = 0; i < PARTITIONS; i++) {
            states.get(i).handled(0, 0, 10, 60_000, 0);
            shareWindows.update(states.get(i));
            AggregateOutput.Closed report = shareWindows.report(0, List.of(), true);
            assertThat(report.done()).containsOnlyKeys(partitions.get(i));
            reported += report.handled().size();
        }
        assertThat(reported).isEqualTo(PARTITIONS);
        assertThat(shareWindows.takeAdvanced()).isFalse();
    }

    @Test
    void shouldReportThePartitionsWhoseWindowsWereClosed() {
        openAll();
        for (int i = 0; i < PARTITIONS; i++) {
            states.get(i).handled(0, 0, 10, (1 + i % 2) * 60_000L, 0);
            shareWindows.update(states.get(i));
        }
        shareWindows.report(0, List.of(), true);
        shareWindows.closeWindows(60_000, Long.MAX_VALUE);
        List<AggregateOutput> reports = new ArrayList<>();
        shareWindows.reportClosings(0, true, reports::add);
        AggregateOutput.Closed closed = (AggregateOutput.Closed) reports.get(0);
        assertThat(closed.done()).hasSize(PARTITIONS / 2).containsEntry(partitions.get(0), 10L);
    }

    @Test
    void shouldTakeTheEarliestTimeOfManyPartitionsThatAdvance() {
        openAll();
        assertThat(shareWindows.watermark()).isEqualTo(Long.MIN_VALUE);
        for (int i = 0; i < PARTITIONS; i++) {
            assertThat(shareWindows.watermark()).isEqualTo(Long.MIN_VALUE);
            states.get(i).advanceTime(1_000L + i);
            shareWindows.update(states.get(i));
        }
        assertThat(shareWindows.watermark()).isEqualTo(1_000);
        for (int i = 0; i < PARTITIONS - 1; i++) {
            states.get(i).idle();
            shareWindows.update(states.get(i));
            assertThat(shareWindows.watermark()).isEqualTo(1_001L + i);
        }
        states.get(PARTITIONS - 1).end();
        shareWindows.update(states.get(PARTITIONS - 1));
        assertThat(shareWindows.watermark()).as("the latest idle").isEqualTo(999L + PARTITIONS - 1);
    }
}
