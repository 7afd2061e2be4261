package io.updraft.engine.executor;

import io.updraft.engine.count.ExecutorCounter;
import io.updraft.engine.count.ExecutorCounters;

/**
 * The time that an executor has spent in user code. A call that waits for room for its tuples is held back, as between turns, so
 * that time does not count.
 *
 * <p>Belongs to the thread that currently runs the executor.
 */
final class BusyTime {
    private final ExecutorCounters counters;
    private long nanos;

    BusyTime(ExecutorCounters counters) {
        this.counters = counters;
    }

    void addTurn(long duration) {
        nanos += duration;
    }

    /** Takes off a wait in the current turn. Readers add the time since the turn began, so the result is published at once. */
    void heldBack(long duration) {
        nanos -= duration;
        publish();
    }

    void publish() {
        counters.putRelease(ExecutorCounter.BUSY_NANOS, nanos);
    }
}
