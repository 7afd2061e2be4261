package io.updraft.engine.run;

import io.updraft.engine.tuple.Batch;

/** How the collectors and the outbox of an executor reach the threads that run it. */
interface LoopAccess {

    /** The loop that routes for an executor, as the executor sees it. */
    interface HomeLoop {

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
