package io.updraft.kafka.sink;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Pauses between retries where no notification exists. */
final class RetryPauses {

    private RetryPauses() {}

    private static final long FIRST_MILLIS = 20;
    private static final long LONGEST_MILLIS = 320;

    /**
     * Pauses until the group's generation may be known again. The coordinator's thread needs a turn or two to learn the
     * generation that the broker already has. A rebalance that waits for a dead process takes as long as the session of that
     * process. All results are sent again after each pause, so each pause is longer than the one before.
     *
     * @param refusals the number of refusals in a row, at least 1
     */
    static void untilTheGroupIsKnownAgain(int refusals) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis(refusals)));
    }

    static long millis(int refusals) {
        return Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(refusals - 1, 10));
    }
}
