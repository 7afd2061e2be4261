package io.updraft.cluster.local;

/** The exit codes of a worker process, which tell its coordinator why it ended. */
final class WorkerExitCode {
    /** The coordinator ordered it to stop. */
    public static final int STOPPED = 0;

    /** It could not start; it has sent the reason to the coordinator. */
    public static final int NOT_STARTED = 70;

    /** It lost its coordinator. */
    public static final int ORPHANED = 71;

    public static final int OUT_OF_MEMORY = 72;

    /** Its link to the other workers failed. */
    public static final int LINK_FAILED = 73;

    private WorkerExitCode() {}
}
