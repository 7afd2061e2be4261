package io.updraft.messaging;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions that other threads fulfil. */
final class ConditionWait {

    private static final Duration LIMIT = Duration.ofSeconds(50);

    private ConditionWait() {}

    static void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited " + LIMIT.toSeconds() + " s for " + what);
            }
            Thread.onSpinWait();
        }
    }
}
