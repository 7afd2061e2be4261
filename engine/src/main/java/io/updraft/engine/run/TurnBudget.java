package io.updraft.engine.run;

import java.util.Locale;

/**
 * Decides how many calls of user code one turn of an executor may make, from the usual duration of a call.
 *
 * <p>Belongs to the thread that runs the executor.
 */
final class TurnBudget {

    /** Intended duration of a turn, from which the budget is computed. */
    public static final long TURN_NANOS = 500_000;

    /** A call of user code that takes longer delays the other executors of the loop. */
    public static final long SLOW_CALL_NANOS = 250_000;

    /** Most calls of user code in one turn; their input and output should stay in the cache. */
    private static final int MAX_CALLS = 256;

    /** Most calls in one turn if they are very cheap, to spread the cost of a turn over more calls. */
    private static final int MAX_QUICK_CALLS = 512;

    /** Duration of a turn of very cheap calls. */
    private static final long QUICK_TURN_NANOS = 12_000;

    /** One of so many turns, plus one, is probed where calls may wait but are not slow. */
    private static final int SAMPLED_TURNS = 63;

    private static final int FIRST_BUDGET = 16;

    /** A call of user code that takes less time is assumed not to block. */
    private static final long QUICK_CALL_NANOS = 20_000;

    private static final long FIRST_CALL_NANOS = 1000;

    /** Slow turns in a row after which the executor should leave its loop. */
    private static final int SLOW_TURNS = 3;

    private final TurnProbe probe;
    private int budget = FIRST_BUDGET;
    private long callNanos;
    private long lastCallNanos;
    private int slowTurns;
    private int calls;
    private long turns;
    private boolean suspicious;
    private boolean probed;

    /** Judges turns that look long. Used by the thread in the turn. */
    public interface TurnProbe {

        void begin();

        /**
         * Judges the turn.
         *
         * @param nanos the duration of the turn by the clock, nanoseconds
         * @param calls number of calls of user code in the turn
         * @param slow the duration from which a call counts as slow, nanoseconds
         * @return whether the calls themselves are slow
         */
        boolean end(long nanos, int calls, long slow);

        /** {@return the time in the last turn in which the thread waited and did not lack a core, nanoseconds} */
        long waitedNanos();
    }

    public TurnBudget(TurnProbe probe) {
        this.probe = probe;
    }

    public void beginTurn() {
        calls = 0;
        suspicious = callNanos > SLOW_CALL_NANOS;
        probed = suspicious || mayWait() && (turns & SAMPLED_TURNS) == 0;
        if (probed) {
            probe.begin();
        }
    }

    public void endTurn(long nanos) {
        turns++;
        if (calls > 0) {
            long perCall = nanos / calls;
            lastCallNanos = perCall;
            // A turn in which the thread was preempted says nothing about the code, so the influence of one turn is
            // limited.
            callNanos += (Math.min(perCall, 2 * callNanos + FIRST_CALL_NANOS) - callNanos) / 4;
            choose();
        }
        boolean slow = probed && probe.end(nanos, calls, SLOW_CALL_NANOS);
        slowTurns = suspicious && slow ? slowTurns + 1 : 0;
    }

    private void choose() {
        long nanos = Math.max(1, callNanos);
        long quick = Math.min(MAX_QUICK_CALLS, QUICK_TURN_NANOS / nanos);
        budget = (int) Math.max(1, Math.max(quick, Math.min(MAX_CALLS, TURN_NANOS / nanos)));
    }

    public void countCalls(int count) {
        calls += count;
    }

    public int calls() {
        return budget;
    }

    public boolean isSampled() {
        return (turns & 3) == 0 || budget < MAX_CALLS;
    }

    /**
     * Returns the usual duration of a call of user code, nanoseconds. Exact on the thread that runs the executor; may be out of
     * date on others.
     */
    public long callNanos() {
        return callNanos;
    }

    /** Returns whether calls are so quick that their output may be sent in batches by a detached executor. */
    public boolean isQuick() {
        return callNanos <= QUICK_CALL_NANOS;
    }

    /** Returns whether calls take so long that they may wait. Other turns are never probed. */
    public boolean mayWait() {
        return callNanos > QUICK_CALL_NANOS;
    }

    /** Returns whether it is known how long the last turn waited. */
    public boolean isProbed() {
        return probed;
    }

    /** Returns the time that the last turn waited, if it was probed, nanoseconds. */
    public long waitedNanos() {
        return probe.waitedNanos();
    }

    /** Returns whether calls take so long that the executor should leave its loop. */
    public boolean isSlow() {
        return slowTurns >= SLOW_TURNS;
    }

    /** Returns why the executor should leave its loop, for operators. */
    public String slowness() {
        return String.format(
                Locale.ROOT,
                "its calls take %.1f ms (more than %.2f ms in %d turns in a row)",
                lastCallNanos / 1e6,
                SLOW_CALL_NANOS / 1e6,
                slowTurns);
    }

    /** Returns whether the last turn would have delayed the other executors of a loop. */
    public boolean lastTurnWasSlow() {
        return slowTurns > 0;
    }

    /** Forgets slow turns, because the executor has returned to its loop. */
    public void clearSlowTurns() {
        slowTurns = 0;
    }

    /**
     * Takes the duration of the last turn at full value, because the watchdog saw it wait or compute. Otherwise it would take
     * dozens of long turns to learn that calls are slow, and tuples and acks would wait for the end of each turn.
     */
    public void adoptLastTurn() {
        callNanos = Math.max(callNanos, lastCallNanos);
        choose();
    }

    /** Takes over what an executor has learnt whose tasks move here. */
    public void continueAfter(TurnBudget before) {
        callNanos = Math.max(callNanos, before.callNanos);
        choose();
    }
}
