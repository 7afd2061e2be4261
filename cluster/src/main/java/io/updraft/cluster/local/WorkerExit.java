package io.updraft.cluster.local;

/** The exit codes of a worker process, which tell its coordinator why it ended. */
final class WorkerExit {
    /** The coordinator ordered it to stop. */
    static final int STOPPED = 0;

    /** It could not start; it has sent the reason to the coordinator. */
    static final int NOT_STARTED = 70;

    /** It lost its coordinator. */
    static final int ORPHANED = 71;

    /** It ran out of memory. */
    static final int OUT_OF_MEMORY = 72;

    /** Its link to the other workers failed. */
    static final int LINK_FAILED = 73;

    private WorkerExit() {}
}
