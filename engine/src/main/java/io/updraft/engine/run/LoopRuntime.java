package io.updraft.engine.run;

/** Runs loops and executors: on threads, or in a simulation by a seeded scheduler on a single thread. */
interface LoopRuntime extends ExecutorRuntime {

    /**
     * Continues a loop on another thread because its thread is in a turn that does not end. The caller has stolen the loop. The
     * executor in the turn keeps the current thread.
     */
    void continueLoop(EventLoop loop, ExecutorSlot turn);

    /** Runs an executor, which is not in a turn, on a thread of its own from now on. */
    void runDetached(Executor executor);

    /** Continues to run an executor, right after a turn in which its loop was stolen, on the thread that was in the turn. */
    void continueDetached(Executor executor);

    /** {@return the capacity in batches of each ring from a loop to the gateway, and from the gateway to a loop} */
    default int remoteRing() {
        return 64;
    }

    /** Called between two steps of a loop. With threads this does nothing; a simulation runs other loops and executors here. */
    default void betweenSteps() {}
}
