package io.updraft.engine.run;

import io.updraft.engine.run.TurnBudget.TurnProbe;

/** What an executor needs of the threads, or of a simulation of threads, that run it. */
interface ExecutorRuntime {

    /** Waits a little in a turn of an executor that cannot continue because there is no capacity for its tuples. */
    void pause(Executor executor);

    /** Creates a probe that distinguishes slow code from code that had no core to run on. */
    TurnProbe newProbe();
}
