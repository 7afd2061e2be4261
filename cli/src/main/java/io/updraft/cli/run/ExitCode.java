package io.updraft.cli.run;

/** What the process says to whoever started it. */
public final class ExitCode {
    /** It ended as asked. */
    public static final int OK = 0;

    /** A topology died, or the program threw. */
    public static final int FAILED = 1;

    /** The command line or the program cannot be run as given. */
    public static final int USAGE = 2;

    /** Stopped as asked, but tuple trees were still in flight at the drain's limit. */
    public static final int NOT_DRAINED = 3;

    /** Stopped at once by a second signal. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
