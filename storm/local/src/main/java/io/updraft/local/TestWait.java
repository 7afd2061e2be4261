package io.updraft.local;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits of tests. */
public final class TestWait {

    /** The default time to wait for conditions, in milliseconds: 10 s, or the environment variable STORM_TEST_TIMEOUT_MS. */
    public static final int TIMEOUT_MS = timeoutOf(System.getenv("STORM_TEST_TIMEOUT_MS"));

    private static final int DEFAULT_TIMEOUT_MS = 10_000;

    private TestWait() {}

    private static int timeoutOf(String setting) {
        try {
            return setting == null ? DEFAULT_TIMEOUT_MS : Integer.parseInt(setting);
        } catch (NumberFormatException e) {
            return DEFAULT_TIMEOUT_MS;
        }
    }

    /**
     * Runs an action repeatedly while a condition holds.
     *
     * @param timeoutMs the maximum time, in milliseconds of real time
     * @param condition the condition
     * @param body the action
     * @throws AssertionError when the condition still holds after that time
     */
    public static void whileTimeout(long timeoutMs, BooleanSupplier condition, Runnable body) {
        long end = System.nanoTime() + Duration.ofMillis(timeoutMs).toNanos();
        while (condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("Test timed out (" + timeoutMs + "ms)");
            }
            body.run();
        }
    }

    /**
     * Makes a call that waits.
     *
     * @param call the call
     * @param <T> the type of its result
     * @return its result
     * @throws AssertionError when the thread is interrupted
     */
    public static <T> T waiting(Wait<T> call) {
        try {
            return call.call();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }

    /**
     * A call that waits.
     *
     * @param <T> the type of its result
     */
    @FunctionalInterface
    public interface Wait<T> {

        /**
         * {@return the result of the call}
         *
         * @throws InterruptedException when the thread is interrupted
         */
        T call() throws InterruptedException;
    }
}
