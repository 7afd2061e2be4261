package io.updraft.transport.session;

import java.util.SplittableRandom;

/**
 * Computes the pause before the next attempt: exponential back-off with jitter on the part above the shortest pause (after M.
 * Brooker, "Exponential Backoff and Jitter", AWS Architecture Blog, 2015). The jitter keeps peers that lost each other at the
 * same time from reconnecting at the same time. As in Storm, every pause is between the shortest and the longest.
 */
final class ReconnectBackOff {

    private final long first;
    private final long longest;
    private final SplittableRandom random;
    private int failures;

    ReconnectBackOff(long first, long longest, SplittableRandom random) {
        this.first = Math.min(first, Long.MAX_VALUE / 2);
        this.longest = Math.min(longest, Long.MAX_VALUE / 2);
        this.random = random;
    }

    /** Returns a pause in nanoseconds: at first up to twice the shortest; then the upper limit doubles with each attempt. */
    long next() {
        failures = Math.min(failures + 1, Long.SIZE);
        long most = failures < Long.numberOfLeadingZeros(first) - 1 ? Math.min(longest, first << failures) : longest;
        return first + random.nextLong(most - first + 1);
    }

    /** Raises the upper limit of the next pause to the longest pause. */
    void exhaust() {
        failures = Long.SIZE;
    }

    void reset() {
        failures = 0;
    }
}
