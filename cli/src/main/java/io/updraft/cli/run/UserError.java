package io.updraft.cli.run;

/** Something that the user can mend; the message is one line: what is wrong, where, and what to do. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the process exits with. */
    private final int exitCode;

    /**
     * Creates an error of the command line or the program given.
     *
     * @param message one line
     * @param cause what lies behind it, or null
     */
    public UserError(String message, Throwable cause) {
        this(ExitCode.USAGE, message, cause);
    }

    /**
     * Creates an error.
     *
     * @param exitCode one of {@link ExitCode}
     * @param message one line
     * @param cause what lies behind it, or null
     */
    public UserError(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** {@return what the process exits with} */
    public int exitCode() {
        return exitCode;
    }
}
