package io.updraft.kafka.spout;

import java.util.concurrent.TimeUnit;

/**
 * How often, and after which delays, a failed record is retried.
 *
 * @param retries attempts after the first one; 0 for none
 * @param initialNanos the delay before the first retry, nanoseconds; each later delay is twice as long
 * @param maxNanos the longest delay, nanoseconds
 */
record RetryPolicy(int retries, long initialNanos, long maxNanos) {

    public RetryPolicy {
        if (retries < 0 || initialNanos < 0 || maxNanos < initialNanos) {
            throw new IllegalArgumentException(
                    "a retry policy needs retries >= 0 and 0 <= initial wait <= longest wait, not " + retries + ", "
                            + initialNanos + " ns, " + maxNanos + " ns");
        }
    }

    /** Creates a policy from milliseconds. */
    public static RetryPolicy ofMillis(int retries, long initialMillis, long maxMillis) {
        return new RetryPolicy(
                retries, TimeUnit.MILLISECONDS.toNanos(initialMillis), TimeUnit.MILLISECONDS.toNanos(maxMillis));
    }

    /** Returns the delay before a retry, nanoseconds. Retries count from 1. */
    long waitNanos(int retry) {
        int doublings = retry - 1;
        return doublings < Long.numberOfLeadingZeros(Math.max(1, initialNanos)) - 1
                ? Math.min(maxNanos, initialNanos << doublings)
                : maxNanos;
    }
}
