package io.updraft.cluster.local;

/** What a worker process says to its coordinator with its last breath. */
final class WorkerExit {
    /** It was told to stop. */
    static final int STOPPED = 0;

    /** It could not start; the coordinator has been told why. */
    static final int NOT_STARTED = 70;

    /** Its coordinator is gone. */
    static final int ORPHANED = 71;

    /** It ran out of memory. */
    static final int OUT_OF_MEMORY = 72;

    /** Its link to the other workers failed. */
    static final int LINK_FAILED = 73;

    private WorkerExit() {}
}
