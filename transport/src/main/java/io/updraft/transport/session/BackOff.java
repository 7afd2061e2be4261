package io.updraft.transport.session;

import java.util.SplittableRandom;

/**
 * How long to wait before the next attempt: exponential back-off with full jitter (M. Brooker, "Exponential Backoff and
 * Jitter", AWS Architecture Blog, 2015), so that peers that lost each other at once do not come back at once.
 */
final class BackOff {

    private final long first;
    private final long longest;
    private final SplittableRandom random;
    private int failures;

    BackOff(long first, long longest, SplittableRandom random) {
        this.first = first;
        this.longest = Math.min(longest, Long.MAX_VALUE / 2);
        this.random = random;
    }

    /** A pause in nanoseconds, up to twice as long as the one before could have been. */
    long next() {
        long most = failures < Long.numberOfLeadingZeros(first) - 1 ? Math.min(longest, first << failures) : longest;
        failures = Math.min(failures + 1, Long.SIZE);
        return random.nextLong(most + 1);
    }

    /** The next pause may be of any length up to the longest. */
    void exhaust() {
        failures = Long.SIZE;
    }

    void reset() {
        failures = 0;
    }
}
