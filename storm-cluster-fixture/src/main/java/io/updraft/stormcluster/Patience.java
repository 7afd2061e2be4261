package io.updraft.stormcluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Waits for conditions, with a deadline.
 *
 * @param logs the logs to show when the deadline passes
 */
record Patience(Logs logs) {

    private static final long POLL_MILLIS = 100;

    void await(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new StormClusterException("waited " + limit.toSeconds() + " s for " + what, logs.tails());
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StormClusterException("interrupted while waiting for " + what, logs.tails(), e);
            }
        }
    }
}
