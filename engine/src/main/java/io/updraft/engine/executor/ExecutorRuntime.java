package io.updraft.engine.executor;

import io.updraft.engine.turn.TurnProbe;

/** What an executor needs of the threads, or of a simulation of threads, that run it. */
public interface ExecutorRuntime {

    /**
     * Waits a little in a turn that cannot continue because there is no room for its tuples.
     *
     * @param executor the executor in the turn
     */
    void pause(Executor executor);

    /** Creates a probe that distinguishes slow code from code that had no core to run on. */
    TurnProbe newProbe();
}
