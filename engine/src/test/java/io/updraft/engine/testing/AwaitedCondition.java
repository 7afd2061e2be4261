package io.updraft.engine.testing;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions, and reports the observed state when a condition does not become true. */
public final class AwaitedCondition {

    private static final long LIMIT_NANOS = 50_000_000_000L;
    private static final long LOOK_NANOS = 200_000;

    private AwaitedCondition() {}

    /**
     * Waits until a condition holds.
     *
     * @param what the condition in words
     * @param holds the condition; may be called often
     * @param state what to show when it does not come about
     */
    public static void until(String what, BooleanSupplier holds, Supplier<?> state) {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not so after " + LIMIT_NANOS / 1_000_000_000 + " s: " + what
                        + "; the state is " + state.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /**
     * Waits until a condition holds.
     *
     * @param what the condition in words
     * @param holds the condition; may be called often
     */
    public static void until(String what, BooleanSupplier holds) {
        until(what, holds, () -> "unknown");
    }
}
