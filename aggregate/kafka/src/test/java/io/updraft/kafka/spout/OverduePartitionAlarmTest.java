package io.updraft.kafka.spout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class OverduePartitionAlarmTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final OffsetTracker tracker =
            new OffsetTracker("t-0", 0, 1_000, PartitionSpoutConfig.RetryPolicy.ofMillis(1, 1, 1));
    private final SpoutPartition.OverduePartitionAlarm alarm = new SpoutPartition.OverduePartitionAlarm(10_000);

    @Test
    void shouldNameEachOffsetOnceAndTheOneThatAllWaitForAgainAfterTheLimit() {
        tracker.emitted(0, 3, 0);
        tracker.emitted(3, 4, 8 * SECOND);
        tracker.done(1);
        assertThat(alarm.due(tracker, 9 * SECOND)).isEmpty();
        assertThat(offsets(alarm.due(tracker, 11 * SECOND))).containsExactly(0L, 2L);
        assertThat(alarm.due(tracker, 12 * SECOND)).isEmpty();
        assertThat(offsets(alarm.due(tracker, 19 * SECOND))).containsExactly(3L);
        assertThat(offsets(alarm.due(tracker, 21 * SECOND))).containsExactly(0L);
        tracker.done(0);
        assertThat(alarm.due(tracker, 22 * SECOND)).isEmpty();
        assertThat(offsets(alarm.due(tracker, 32 * SECOND))).containsExactly(2L);
    }

    private static List<Long> offsets(List<OffsetTracker.Overdue> overdue) {
        return overdue.stream().map(OffsetTracker.Overdue::offset).toList();
    }
}
