package io.updraft.cluster.coordinator;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Computes the wait before a worker is restarted. The wait doubles with each death, with jitter, until a worker has run for a
 * while.
 */
final class RestartDelay {
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** After a process has run for this long, the waits start again at {@link #FIRST_NANOS}. */
    static final long RESET_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final SplittableRandom random;
    private long next = FIRST_NANOS;

    RestartDelay(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns the wait after a death, between half of the current wait and all of it, from how long the process has run. */
    long afterDeath(long livedNanos) {
        if (livedNanos >= RESET_NANOS) {
            next = FIRST_NANOS;
        }
        long wait = next / 2 + random.nextLong(next / 2 + 1);
        next = Math.min(2 * next, MAX_NANOS);
        return wait;
    }
}
