package io.updraft.cluster.local;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** How long to wait before a worker is started again: twice as long each time, with jitter, until it has lasted a while. */
final class BackOff {
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** A worker that has run for so long starts anew with short waits. */
    static final long LASTED_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final SplittableRandom random;
    private long next = FIRST_NANOS;

    BackOff(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * Tells the wait after a death.
     *
     * @param livedNanos how long the process had run, nanoseconds
     * @return nanoseconds: between half of the current wait and all of it
     */
    long afterDeath(long livedNanos) {
        if (livedNanos >= LASTED_NANOS) {
            next = FIRST_NANOS;
        }
        long wait = next / 2 + random.nextLong(next / 2 + 1);
        next = Math.min(2 * next, LONGEST_NANOS);
        return wait;
    }
}
