package io.updraft.base.exit;

/** The exit codes of the process. */
public final class ExitCode {
    /** Success. */
    public static final int OK = 0;

    /** A topology or pipeline failed, or the program threw an exception. */
    public static final int FAILED = 1;

    /** The command line, the program or the pipeline's description is not valid. */
    public static final int USAGE = 2;

    /** Stopped, but tuple trees were still in flight at the drain's limit. */
    public static final int NOT_DRAINED = 3;

    /** Stopped at once by a second signal. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
