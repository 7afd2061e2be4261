package io.updraft.kafka.spout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.updraft.kafka.spout.OffsetTracker.Verdict;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class OffsetTrackerTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final PartitionSpoutConfig.RetryPolicy POLICY =
            PartitionSpoutConfig.RetryPolicy.ofMillis(3, 1_000, 3_000);

    private final OffsetTracker tracker = new OffsetTracker("t-0", 100, 1_000_000, POLICY);

    static void done(OffsetTracker tracker, long from, long to) {
        for (long offset = from; offset < to; offset++) {
            tracker.done(offset);
        }
    }

    @Test
    void shouldCommitTheContiguousPrefixOnly() {
        tracker.emitted(100, 105, 0);
        tracker.done(101);
        assertThat(tracker.committable()).isEqualTo(100);
        tracker.done(100);
        assertThat(tracker.committable()).isEqualTo(102);
        done(tracker, 102, 105);
        assertThat(tracker.committable()).isEqualTo(105);
        assertThat(tracker.pending()).isZero();
    }

    @Test
    void shouldWaitForNoOffsetThatIsNotInTheLog() {
        tracker.emitted(100, 101, 0);
        tracker.emitted(5_000_000_000L, 5_000_000_001L, 0);
        tracker.advance(5_000_000_010L);
        tracker.done(100);
        assertThat(tracker.committable()).isEqualTo(5_000_000_000L);
        tracker.done(5_000_000_000L);
        assertThat(tracker.committable()).isEqualTo(5_000_000_010L);
    }

    @Test
    void shouldReplayWithWaitsThatDoubleUntilTheRetriesAreUsedUp() {
        tracker.emitted(100, 102, 0);
        assertThat(tracker.failed(100, tracker.attempt(100), 0)).isEqualTo(Verdict.RETRY);
        assertThat(tracker.replay(SECOND - 1)).isEqualTo(OffsetTracker.NONE);
        assertThat(tracker.replay(SECOND)).isEqualTo(100);
        assertThat(tracker.replay(SECOND)).isEqualTo(OffsetTracker.NONE);
        assertThat(tracker.failed(100, tracker.attempt(100), SECOND)).isEqualTo(Verdict.RETRY);
        assertThat(tracker.replay(3 * SECOND - 1)).isEqualTo(OffsetTracker.NONE);
        assertThat(tracker.replay(3 * SECOND)).isEqualTo(100);
        assertThat(tracker.failed(100, tracker.attempt(100), 3 * SECOND)).isEqualTo(Verdict.RETRY);
        assertThat(tracker.replay(6 * SECOND)).as("3 s at the most").isEqualTo(100);
        assertThat(tracker.failed(100, tracker.attempt(100), 6 * SECOND)).isEqualTo(Verdict.DEAD);
        assertThat(tracker.failed(100, tracker.attempt(100), 6 * SECOND)).isEqualTo(Verdict.IGNORED);
        assertThat(tracker.committable())
                .as("the dead letter is not written yet")
                .isEqualTo(100);
        assertThat(tracker.done(100)).isTrue();
        assertThat(tracker.committable()).isEqualTo(101);
    }

    @Test
    void shouldTakeALateAckOfAnEarlierAttemptForAnAckAndIgnoreItsFailure() {
        tracker.emitted(100, 102, 0);
        tracker.failed(100, 0, 0);
        tracker.failed(101, 0, 0);
        assertThat(tracker.done(100)).as("acked while it waits").isTrue();
        assertThat(tracker.replay(SECOND)).isEqualTo(101);
        assertThat(tracker.failed(101, 0, SECOND)).as("of the first attempt").isEqualTo(Verdict.IGNORED);
        assertThat(tracker.failed(101, 1, SECOND)).isEqualTo(Verdict.RETRY);
        assertThat(tracker.waiting()).isEqualTo(1);
        tracker.done(101);
        assertThat(tracker.waiting()).isZero();
        assertThat(tracker.replay(100 * SECOND)).isEqualTo(OffsetTracker.NONE);
        assertThat(tracker.committable()).isEqualTo(102);
    }

    @Test
    void shouldIgnoreWhatIsDoneOrFailsBeforeTheStartAfterTheEndOrTwice() {
        tracker.emitted(100, 101, 0);
        assertThat(tracker.done(99)).isFalse();
        assertThat(tracker.done(101)).isFalse();
        assertThat(tracker.done(100)).isTrue();
        assertThat(tracker.done(100)).isFalse();
        assertThat(tracker.failed(100, tracker.attempt(100), 0)).isEqualTo(Verdict.IGNORED);
        assertThat(tracker.committable()).isEqualTo(101);
        assertThatThrownBy(() -> tracker.emitted(100, 101, 0))
                .hasMessageContaining("t-0")
                .hasMessageContaining("[100, 101)");
    }

    @Test
    void shouldNameWhatHasNotLeftTheTopologyInTime() {
        tracker.emitted(100, 103, 0);
        tracker.emitted(103, 110, 5 * SECOND);
        tracker.seen(100, 103, "enrich");
        tracker.seen(103, 110, "count");
        tracker.done(100);
        tracker.failed(101, tracker.attempt(101), 0);
        assertThat(tracker.overdue(9 * SECOND, 10 * SECOND, 5)).isEmpty();
        assertThat(tracker.overdue(11 * SECOND, 10 * SECOND, 5))
                .containsExactly(
                        new OffsetTracker.Overdue("t-0", 101, 11 * SECOND, 1, "enrich"),
                        new OffsetTracker.Overdue("t-0", 102, 11 * SECOND, 0, "enrich"));
        assertThat(tracker.overdue(20 * SECOND, 10 * SECOND, 3)).hasSize(3);
        done(tracker, 100, 104);
        assertThat(tracker.overdue(20 * SECOND, 10 * SECOND, 1))
                .singleElement()
                .satisfies(overdue -> assertThat(overdue.message())
                        .contains("offset 104 of t-0")
                        .contains("15 s")
                        .contains("last seen in count"));
    }

    @Test
    void shouldTakeLessThanAMegabyteForAMillionInFlight() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        for (int i = 0; i < 1_000; i++) {
            tracker.emitted(100 + i * 1_000L, 1_100 + i * 1_000L, i * SECOND);
        }
        long allocated = threads.getThreadAllocatedBytes(id) - before;
        assertThat(tracker.pending()).isEqualTo(1_000_000);
        assertThat(allocated).isLessThan(1_000_000);
    }
}
