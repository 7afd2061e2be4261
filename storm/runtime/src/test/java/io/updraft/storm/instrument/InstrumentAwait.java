package io.updraft.storm.instrument;

import java.util.concurrent.Callable;

/** Waits on conditions, with a longer limit than the other tests. */
final class InstrumentAwait {
    private static final int LIMIT_SECS = 50;

    private InstrumentAwait() {}

    /** Waits until the condition holds; fails the test when it does not in time. */
    static void until(String what, Callable<Boolean> condition) throws Exception {
        io.updraft.storm.Await.until(what, LIMIT_SECS, condition);
    }
}
