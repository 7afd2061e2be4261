package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.ProcessedRanges;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ResultMergerTest {

    private static final int PARTITIONS = 5_000;

    private final ResultMerger merger = new ResultMerger(2);

    private void report(int task, Partition partition, long position) {
        merger.add(new AggregateOutput.Closed(
                task,
                null,
                List.of(),
                Long.MIN_VALUE,
                Long.MIN_VALUE,
                Map.of(),
                Map.of(partition, position),
                UnusableRecords.Counts.NONE));
    }

    private static Partition partition(int index) {
        return new Partition(
                "u" + index,
                new Partition.Share("g" + index, 1, null),
                0,
                ProcessedRanges.NONE,
                new AtomicLong(),
                position -> "");
    }

    @Test
    void shouldReturnEachPositionOnceHoweverManyPartitionsThereAre() {
        for (int i = 0; i < PARTITIONS; i++) {
            Partition partition = partition(i);
            report(0, partition, 20);
            assertThat(merger.takeDone()).isEmpty();
            report(1, partition, 10);
            assertThat(merger.takeDone()).containsExactly(Map.entry(partition, 10L));
        }
        assertThat(merger.hasPosition()).isTrue();
        assertThat(merger.takeDone()).isEmpty();
    }

    @Test
    void shouldForgetAPartitionThatAllTasksHaveFinished() {
        Partition partition = partition(0);
        report(0, partition, AggregateOutput.OVER + 5);
        assertThat(merger.hasPosition()).isFalse();
        report(1, partition, AggregateOutput.OVER + 5);
        assertThat(merger.hasPosition()).isTrue();
        assertThat(merger.takeDone()).containsEntry(partition, AggregateOutput.OVER + 5);
        assertThat(merger.hasPosition()).isFalse();
        assertThat(merger.partitions()).isZero();
    }
}
