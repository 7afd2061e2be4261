package io.updraft.engine.emit;

import io.updraft.engine.mesh.Batch;

/** How the collectors and the outbox of an executor reach the threads that run it. */
public interface LoopAccess {

    /** Returns the loop that routes for the executor. May be called from any thread. */
    HomeLoop home();

    /** Wakes the thread that runs the executor, the loop's or its own. May be called from any thread. */
    void ring();

    /** Waits a little in a call that cannot continue because there is no room for its tuples. From any thread. */
    void pause();

    /** Gives up the loop in a turn, unless the executor is already detached. The turn continues without the loop. */
    void leaveLoop();

    /** Sends a batch to the home loop in a turn, waiting for room. */
    void ship(Batch full);
}
