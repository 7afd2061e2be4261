package io.updraft.storm;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits on conditions. */
public final class Await {
    private static final int LIMIT_SECS = 50;

    private Await() {}

    /** Waits until the condition holds; fails the test when it does not in 50 s. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        until(what, LIMIT_SECS, condition);
    }

    /** The same with a limit of its own, seconds, for what takes long on a busy machine. */
    public static void until(String what, int secs, Callable<Boolean> condition) throws Exception {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(secs);
        while (!condition.call()) {
            if (System.nanoTime() - limit > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
