package io.updraft.engine.run;

/**
 * The time that an executor has spent in user code, and the part of it in which calls waited. A call that waits for room for its
 * tuples is held back, as between turns, so that time does not count.
 *
 * <p>Belongs to the thread that currently runs the executor.
 */
final class BusyTime {
    private final ExecutorCounters counters;
    private long nanos;
    private long waited;
    private long heldBack;

    /** Busy time since the last turn of which it is known how long it waited. */
    private long notProbed;

    BusyTime(ExecutorCounters counters) {
        this.counters = counters;
    }

    void addTurn(long duration, TurnBudget budget) {
        nanos += duration;
        if (budget.mayWait()) {
            addWait(duration - heldBack, budget);
        }
        heldBack = 0;
    }

    /** Takes the last turn as a sample of those since the last sample. */
    private void addWait(long busy, TurnBudget budget) {
        notProbed += busy;
        if (budget.isProbed() && busy > 0) {
            double share = Math.max(0, Math.min(1, (double) (budget.waitedNanos() - heldBack) / busy));
            waited += (long) (notProbed * share);
            notProbed = 0;
        }
    }

    /** Takes off a wait in the current turn. Readers add the time since the turn began, so the result is published at once. */
    void heldBack(long duration) {
        nanos -= duration;
        heldBack += duration;
        publish();
    }

    void publish() {
        counters.putRelease(ExecutorCounter.WAIT_NANOS, waited);
        counters.putRelease(ExecutorCounter.BUSY_NANOS, nanos);
    }
}
