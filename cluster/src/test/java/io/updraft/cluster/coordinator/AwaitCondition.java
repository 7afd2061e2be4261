package io.updraft.cluster.coordinator;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for conditions. */
public final class AwaitCondition {
    /** Less than the five minutes of a test, so that it says what it has waited for. */
    private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(4);

    private static final long PATIENT_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final long LOOK_MILLIS = 5;

    private AwaitCondition() {}

    /** Waits until something is so; fails when it takes too long. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, LIMIT_NANOS, condition);
    }

    /** The same for the slow tests, which have ten minutes each: a process may take its time to start. */
    static void patiently(String what, Callable<Boolean> condition) throws Exception {
        until(what, PATIENT_LIMIT_NANOS, condition);
    }

    private static void until(String what, long limitNanos, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + limitNanos;
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }
}
