package io.updraft.engine.loop;

/** Judges turns that look long. Used by the thread in the turn. */
interface TurnProbe {

    /** Begins to observe a turn. */
    void begin();

    /**
     * Judges the turn.
     *
     * @param nanos what it took by the clock, nanoseconds
     * @param calls calls of user code in it
     * @param slow time for one call that is too long, nanoseconds
     * @return whether the calls are too slow by themselves
     */
    boolean end(long nanos, int calls, long slow);
}
