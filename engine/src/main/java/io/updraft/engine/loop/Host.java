package io.updraft.engine.loop;

/**
 * Gives loops and executors something to run on: threads, or in a simulation a seeded scheduler on a single thread.
 */
interface Host {

    /**
     * Has a loop go on elsewhere because its thread is in a turn that does not end. The caller has stolen the loop.
     *
     * @param loop the loop
     * @param turn the seat whose turn it is; it keeps the thread it is on
     */
    void carryOn(EventLoop loop, Seat turn);

    /**
     * Runs an executor apart from its loop from now on.
     *
     * @param executor the executor, not in a turn
     */
    void runApart(Executor executor);

    /**
     * Goes on with an executor whose turn has lost its loop, on the thread that is in the turn.
     *
     * @param executor the executor, its turn just over
     */
    void lost(Executor executor);

    /**
     * Passes a little time in a turn that cannot go on, because there is no room for what it emits.
     *
     * @param executor whose turn it is
     */
    void pause(Executor executor);

    /** Makes what tells slow code from code that had nothing to run on. */
    TurnProbe newProbe();

    /** {@return how many batches wait for the gateway, or for a loop, on each way to or from another worker} */
    default int remoteRing() {
        return 64;
    }

    /** A moment between two steps of a loop. On threads others run meanwhile anyway; a simulation runs them here. */
    default void meanwhile() {}
}
