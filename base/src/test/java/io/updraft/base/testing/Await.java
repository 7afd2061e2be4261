package io.updraft.base.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The one way of tests to wait: on a condition, with a limit, and with words that say what was missing. */
public final class Await {

    /** Less than the five minutes of a test, so that a failure says what was missing. */
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static final long POLL_NANOS = 500_000;

    private Await() {}

    /**
     * A condition.
     *
     * @param <E> what its evaluation may throw
     */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        /** {@return whether the condition holds} */
        boolean holds() throws E;
    }

    /**
     * Waits until a condition holds, for four minutes at most.
     *
     * @param expectation the condition in words
     * @param condition the condition; evaluated often, on the calling thread
     * @param <E> what its evaluation may throw
     * @throws E what the condition throws
     */
    public static <E extends Exception> void until(String expectation, Condition<E> condition) throws E {
        until(expectation, LIMIT, condition);
    }

    /**
     * Waits until a condition holds.
     *
     * @param expectation the condition in words
     * @param limit the longest time
     * @param condition the condition; evaluated often, on the calling thread
     * @param <E> what its evaluation may throw
     * @throws E what the condition throws
     */
    public static <E extends Exception> void until(String expectation, Duration limit, Condition<E> condition)
            throws E {
        until(expectation, limit, condition, () -> "");
    }

    /**
     * Waits until a condition holds, for four minutes at most.
     *
     * @param expectation the condition in words
     * @param condition the condition; evaluated often, on the calling thread
     * @param state what the failure says besides, such as the state that was observed last
     * @param <E> what the evaluation of the condition may throw
     * @throws E what the condition throws
     */
    public static <E extends Exception> void until(String expectation, Condition<E> condition, Supplier<?> state)
            throws E {
        until(expectation, LIMIT, condition, state);
    }

    /**
     * Waits until a condition holds.
     *
     * @param expectation the condition in words
     * @param limit the longest time
     * @param condition the condition; evaluated often, on the calling thread
     * @param state what the failure says besides, such as the state that was observed last
     * @param <E> what the evaluation of the condition may throw
     * @throws E what the condition throws
     */
    public static <E extends Exception> void until(
            String expectation, Duration limit, Condition<E> condition, Supplier<?> state) throws E {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
                throw new AssertionError(
                        "waited in vain for " + limit.toSeconds() + " s until " + expectation + " " + state.get());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
