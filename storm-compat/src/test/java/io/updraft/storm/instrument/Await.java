package io.updraft.storm.instrument;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits on conditions. */
final class Await {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Await() {}

    /** Waits until the condition holds; fails the test when it does not in time. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        long limit = System.nanoTime() + LIMIT_NANOS;
        while (!condition.call()) {
            if (System.nanoTime() - limit > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
