package io.updraft.engine.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Decides who owns an event loop when an executor's turn on it takes too long.
 *
 * <pre>
 *   even: nobody's turn            begin                   odd: a turn is on
 *     n  ------------------------------------------------->  n + 1
 *     n + 2  &lt;---------------------------------------------  n + 1     end, or steal: whoever is first
 * </pre>
 *
 * <p>The loop's thread begins and ends turns. Anybody else may steal the loop during a turn: then the thread in the turn
 * finds, when the turn ends, that the loop is no longer its own. During a turn that thread touches only what belongs to
 * the executor, so that the thief can go on at once.
 */
public final class TurnGuard {

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(TurnGuard.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long state;

    /** Creates a guard with nobody's turn on. */
    public TurnGuard() {}

    /**
     * Begins a turn. Only the thread that owns the loop.
     *
     * @return the turn, for {@link #end}
     */
    public long begin() {
        long turn = state + 1;
        STATE.setRelease(this, turn);
        return turn;
    }

    /**
     * Ends a turn. Only the thread that began it.
     *
     * @param turn what {@link #begin} returned
     * @return false when the loop was stolen: it belongs to another thread now
     */
    public boolean end(long turn) {
        return STATE.compareAndSet(this, turn, turn + 1);
    }

    /** {@return the current turn, or 0 when there is none; from any thread} */
    public long current() {
        long now = (long) STATE.getAcquire(this);
        return (now & 1) == 0 ? 0 : now;
    }

    /**
     * Takes the loop from the thread that is in a turn. From any thread.
     *
     * @param turn what {@link #current} returned
     * @return whether the loop now belongs to the caller
     */
    public boolean steal(long turn) {
        return STATE.compareAndSet(this, turn, turn + 1);
    }
}
