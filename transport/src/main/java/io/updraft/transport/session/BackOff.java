package io.updraft.transport.session;

import java.util.SplittableRandom;

/**
 * How long to wait before the next attempt: exponential back-off with jitter over all that is above the shortest pause (after
 * M. Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015), so that peers that lost each other at once do not
 * come back at once. As with Storm's, no pause is shorter than the shortest nor longer than the longest.
 */
final class BackOff {

    private final long first;
    private final long longest;
    private final SplittableRandom random;
    private int failures;

    BackOff(long first, long longest, SplittableRandom random) {
        this.first = Math.min(first, Long.MAX_VALUE / 2);
        this.longest = Math.min(longest, Long.MAX_VALUE / 2);
        this.random = random;
    }

    /** A pause in nanoseconds: at first up to twice the shortest, then up to twice as long as the one before could have been. */
    long next() {
        failures = Math.min(failures + 1, Long.SIZE);
        long most = failures < Long.numberOfLeadingZeros(first) - 1 ? Math.min(longest, first << failures) : longest;
        return first + random.nextLong(most - first + 1);
    }

    /** The next pause may be of any length up to the longest. */
    void exhaust() {
        failures = Long.SIZE;
    }

    void reset() {
        failures = 0;
    }
}
