package io.updraft.engine.loop;

/** Runs loops and executors: on threads, or in a simulation by a seeded scheduler on a single thread. */
interface Host extends ExecutorHost {

    /**
     * Continues a loop on another thread because its thread is in a turn that does not end. The caller has stolen the loop.
     *
     * @param loop the loop
     * @param turn the slot whose turn it is; its executor keeps the current thread
     */
    void carryOn(EventLoop loop, Seat turn);

    /**
     * Runs an executor apart from its loop from now on.
     *
     * @param executor the executor, not in a turn
     */
    void runApart(Executor executor);

    /**
     * Continues to run an executor whose turn has lost its loop, on the thread that was in the turn.
     *
     * @param executor the executor, right after its turn
     */
    void lost(Executor executor);

    /** {@return the capacity in batches of each ring from a loop to the gateway, and from the gateway to a loop} */
    default int remoteRing() {
        return 64;
    }

    /** Called between two steps of a loop. With threads this does nothing; a simulation runs other loops and executors here. */
    default void meanwhile() {}
}
