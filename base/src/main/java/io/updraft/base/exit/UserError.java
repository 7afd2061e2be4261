package io.updraft.base.exit;

/** An error that the user can fix. The message is one line: what is wrong, where, and what to do. */
public final class UserError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The exit code of the process. */
    private final int exitCode;

    /**
     * Creates an error with the exit code {@link ExitCode#USAGE}.
     *
     * @param message one line
     * @param cause the cause; may be null
     */
    public UserError(String message, Throwable cause) {
        this(ExitCode.USAGE, message, cause);
    }

    /**
     * Creates an error.
     *
     * @param exitCode the exit code of the process
     * @param message one line
     * @param cause the cause; may be null
     */
    public UserError(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** {@return the exit code of the process} */
    public int exitCode() {
        return exitCode;
    }
}
