package io.updraft.kafka.sink;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what tells nobody when it happens. */
final class Pauses {

    private Pauses() {}

    private static final long FIRST_MILLIS = 20;
    private static final long LONGEST_MILLIS = 320;

    /**
     * The coordinator's thread takes a turn or two to learn of the generation that the broker knows already; a rebalance that waits for
     * a process that died takes as long as its session. All results are sent again each time, so that each pause is longer.
     *
     * @param refusals in a row, at least 1
     */
    static void untilTheGroupIsKnownAgain(int refusals) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis(refusals)));
    }

    static long millis(int refusals) {
        return Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(refusals - 1, 10));
    }
}
