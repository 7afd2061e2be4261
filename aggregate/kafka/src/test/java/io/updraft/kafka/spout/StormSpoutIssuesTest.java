package io.updraft.kafka.spout;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.spout.OffsetTracker.Verdict;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What made Storm's own spout stall, applied to this tracker, which must not. The numbers are of issues of apache/storm. */
final class StormSpoutIssuesTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final PartitionSpoutConfig.RetryPolicy FOREVER =
            PartitionSpoutConfig.RetryPolicy.ofMillis(Integer.MAX_VALUE, 1_000, 1_000);

    /**
     * 6125 (STORM-2343): more records fail at once than may be uncommitted. The spout counted them as uncommitted, so it did not poll,
     * and without a poll it did not emit them again.
     */
    @Test
    void issue6125ShouldReplayAlthoughMoreHaveFailedThanTheWindowHolds() {
        OffsetTracker tracker = new OffsetTracker("t-0", 0, 10, FOREVER);
        tracker.emitted(0, 15, 0);
        assertThat(tracker.isFull()).isTrue();
        for (int offset = 0; offset < 15; offset++) {
            assertThat(tracker.failed(offset, tracker.attempt(offset), 0)).isEqualTo(Verdict.RETRY);
        }
        for (int offset = 0; offset < 15; offset++) {
            assertThat(tracker.replay(SECOND)).isEqualTo(offset);
            tracker.done(offset);
        }
        assertThat(tracker.committable()).isEqualTo(15);
        assertThat(tracker.isFull()).isFalse();
    }

    /**
     * 6212 (STORM-2430): up to 100 may be uncommitted, 110 are emitted in one go, the tenth fails and all others are acked. 101 are
     * uncommitted then, so nothing was polled any more, and the tenth, for which all waited, never came again.
     */
    @Test
    void issue6212ShouldReplayTheOneForWhichAllOthersWait() {
        OffsetTracker tracker = new OffsetTracker("t-0", 0, 100, FOREVER);
        tracker.emitted(0, 110, 0);
        tracker.failed(9, tracker.attempt(9), 0);
        OffsetTrackerTest.done(tracker, 0, 9);
        OffsetTrackerTest.done(tracker, 10, 110);
        assertThat(tracker.committable()).isEqualTo(9);
        assertThat(tracker.isFull()).isTrue();
        assertThat(tracker.replay(SECOND)).isEqualTo(9);
        tracker.done(9);
        assertThat(tracker.committable()).isEqualTo(110);
        assertThat(tracker.isFull()).isFalse();
    }

    /**
     * 6328 (STORM-2546): the spout seeks back to a failed record, which was deleted or compacted away meanwhile; the poll gives the next
     * one that is there, and the commit waits for the missing one for ever. Here whoever replays says that it is gone by done, and a
     * range that was never emitted because it was gone before is waited for by nobody.
     */
    @Test
    void issue6328ShouldNotWaitForARecordThatIsGone() {
        OffsetTracker tracker = new OffsetTracker("t-0", 0, 100, FOREVER);
        tracker.emitted(0, 3, 0);
        // 3 to 6 were compacted away before they were read.
        tracker.emitted(7, 10, 0);
        tracker.failed(1, tracker.attempt(1), 0);
        tracker.done(0);
        OffsetTrackerTest.done(tracker, 2, 10);
        assertThat(tracker.replay(SECOND)).isEqualTo(1);
        assertThat(tracker.done(1)).isTrue();
        assertThat(tracker.committable()).isEqualTo(10);
    }

    /**
     * 6331 (STORM-2549): ten may be uncommitted. The last of them fails; to emit it again the spout polled from there on, and emitted four
     * new ones beyond the limit on the way. Then the first fails and all others are acked: the four counted, and the first was never
     * emitted again.
     */
    @Test
    void issue6331ShouldNeitherEmitNewOnesOnTheWayOfAReplayNorLetThemBlockOne() {
        OffsetTracker tracker = new OffsetTracker("t-0", 0, 10, FOREVER);
        tracker.emitted(0, 10, 0);
        tracker.failed(9, tracker.attempt(9), 0);
        assertThat(tracker.replay(SECOND)).isEqualTo(9);
        assertThat(tracker.replay(SECOND)).as("a replay brings no other record").isEqualTo(OffsetTracker.NONE);
        assertThat(tracker.isFull()).as("and has no capacity").isTrue();
        // A batch may go over the limit all the same.
        tracker.emitted(10, 14, SECOND);
        tracker.failed(0, tracker.attempt(0), SECOND);
        OffsetTrackerTest.done(tracker, 1, 14);
        assertThat(tracker.replay(2 * SECOND)).isEqualTo(0);
        tracker.done(0);
        assertThat(tracker.committable()).isEqualTo(14);
    }

    /**
     * 7313 (STORM-3531): a worker is killed; the spouts of the others have 250 uncommitted records, as many as they may, whose acks went
     * down with it, and never read on. Here all of them are named by the alarm until they fail, as they do when the engine hears of the
     * loss or the message timeout passes; then they are replayed, and what the dead worker's successor acks late does no harm.
     */
    @Test
    void issue7313ShouldNameAndReplayWhatADeadWorkerHad() {
        OffsetTracker tracker = new OffsetTracker("TEST-0", 0, 250, FOREVER);
        tracker.emitted(0, 250, 0);
        tracker.seen(0, 250, "bolt of worker 1");
        assertThat(tracker.isFull()).isTrue();
        assertThat(tracker.overdue(31 * SECOND, 30 * SECOND, 1_000))
                .hasSize(250)
                .allSatisfy(overdue -> assertThat(overdue.lastSeen()).isEqualTo("bolt of worker 1"));
        for (int offset = 0; offset < 250; offset++) {
            tracker.failed(offset, 0, 31 * SECOND);
        }
        int replayed = 0;
        for (long offset = tracker.replay(32 * SECOND); offset >= 0; offset = tracker.replay(32 * SECOND)) {
            replayed++;
            assertThat(tracker.failed(offset, 0, 32 * SECOND))
                    .as("the first attempt, late")
                    .isEqualTo(Verdict.IGNORED);
            assertThat(tracker.done(offset)).isTrue();
            assertThat(tracker.done(offset)).as("the first attempt, late").isFalse();
        }
        assertThat(replayed).isEqualTo(250);
        assertThat(tracker.committable()).isEqualTo(250);
        assertThat(tracker.isFull()).isFalse();
    }
}
