package io.updraft.engine.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Decides which thread owns an event loop when an executor's turn on it takes too long.
 *
 * <pre>
 *   even: no turn                  begin                   odd: a turn runs
 *     n  ------------------------------------------------->  n + 1
 *     n + 2  &lt;---------------------------------------------  n + 1     end or steal, the first wins
 * </pre>
 *
 * <p>The loop's thread begins and ends turns. Any other thread may steal the loop during a turn. At the end of the turn, the
 * thread in the turn then finds that it no longer owns the loop. During a turn that thread uses only state of the executor, so
 * the new owner can continue at once.
 */
final class TurnGuard {

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(TurnGuard.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long state;

    /** Begins a turn and returns it. Called only by the thread that owns the loop. */
    public long begin() {
        long turn = state + 1;
        STATE.setRelease(this, turn);
        return turn;
    }

    /**
     * Ends the turn that {@link #begin} returned. Called only by the thread that began it. Returns false when the loop was
     * stolen and belongs to another thread now.
     */
    public boolean end(long turn) {
        return STATE.compareAndSet(this, turn, turn + 1);
    }

    /** {@return the current turn, or 0 when there is none; may be called from any thread} */
    public long current() {
        long now = (long) STATE.getAcquire(this);
        return (now & 1) == 0 ? 0 : now;
    }

    /** Steals the loop in the {@link #current} turn. Returns whether it now belongs to the caller. From any thread. */
    public boolean steal(long turn) {
        return STATE.compareAndSet(this, turn, turn + 1);
    }
}
