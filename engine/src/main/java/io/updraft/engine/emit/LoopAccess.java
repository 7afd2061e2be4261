package io.updraft.engine.emit;

/** How the collectors of an executor reach the threads that run it. May be used from any thread. */
public interface LoopAccess {

    /** Returns the loop that routes for the executor. */
    HomeLoop home();

    /** Wakes the thread that runs the executor, the loop's or its own. */
    void ring();

    /** Waits a little in a call that cannot continue because there is no room for its tuples. */
    void pause();
}
