package io.updraft.engine.emit;

import io.updraft.engine.mesh.Batch;

/** The loop that routes for an executor, as the executor sees it. */
public interface HomeLoop {

    /** Wakes the loop. May be called from any thread. */
    void ring();

    /** Makes the loop give turns soon to executors that request one. May be called from any thread. */
    void requestTurns();

    /** Passes a batch to the loop, which routes it. May be called from any thread. */
    void post(Batch batch);

    /** Returns whether user threads should wait before they post more. May be called from any thread. */
    boolean isMailboxFull();

    /** Continues the loop on another thread because a turn does not end, unless the loop was already stolen. */
    void onStuck(long turn);
}
