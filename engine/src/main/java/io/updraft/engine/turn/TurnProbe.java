package io.updraft.engine.turn;

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
}
