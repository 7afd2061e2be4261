package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class OverdueAlarmTest {

    private static final WindowSpec MINUTES = WindowSpec.tumbling(Duration.ofMinutes(1));
    private static final Partition.Share SHARE = new Partition.Share("g", 1, null);
    private final PartitionProgress first = state("in-0");
    private final PartitionProgress second = state("in-1");
    private final ShareWindows shareWindows = windows();
    private final OverdueAlarm alarm = new OverdueAlarm(0, Duration.ofSeconds(1), MINUTES, 0, new TaskCounters());

    private static PartitionProgress state(String name) {
        Partition partition = new Partition(name, SHARE, 0, ProcessedRanges.NONE, new AtomicLong(), position -> "");
        return new PartitionProgress(partition, 0, false);
    }

    private ShareWindows windows() {
        Aggregator aggregator = Aggregators.create(
                new Query(
                        new Schema(List.of(new Schema.Field("n", FieldType.LONG))),
                        List.of(),
                        List.of(new Measure("n", AggregateFunction.COUNT, null, 0)),
                        MINUTES),
                AggregatorOptions.inMemory());
        ShareWindows made = new ShareWindows(aggregator, SHARE, 0, new ShareWindows.Bounds(MINUTES), null);
        made.open(first, Long.MIN_VALUE);
        made.open(second, Long.MIN_VALUE);
        return made;
    }

    @Test
    void shouldSayWhichPartitionHoldsAWindowOpen() {
        first.advanceTime(30_000);
        first.handled(0, 0, 1, 60_000, 5_000);
        assertThat(shareWindows.isQuiet()).isFalse();
        assertThat(alarm.overdue(shareWindows, 66_000)).isEmpty();
        assertThat(alarm.overdue(shareWindows, 67_000))
                .extracting(OverdueAlarm.Overdue::line)
                .containsExactly("in-0 position 0 has not been written for 62 s: it waits in the window that ends at"
                        + " 1970-01-01T00:01:00Z, held open by in-1, of which no record has come yet");
    }

    @Test
    void shouldSayThatWindowsWaitForALaterRecordWhereNoneComes() {
        first.advanceTime(30_000);
        first.handled(0, 0, 1, 60_000, 5_000);
        first.idle();
        second.idle();
        assertThat(shareWindows.isQuiet()).isTrue();
        assertThat(alarm.quietLine(List.of(shareWindows), 66_000)).isNull();
        assertThat(alarm.quietLine(List.of(shareWindows), 67_000))
                .isEqualTo(
                        "the last windows of in-0 wait for a record with a later time, since none has come for a while; the"
                                + " first window ends at 1970-01-01T00:01:00Z");
        second.advanceTime(10_000);
        assertThat(shareWindows.isQuiet()).isFalse();
    }
}
