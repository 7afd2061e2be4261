package io.updraft.storm;

/**
 * A program's own input is wrong: the message says what and where, in one line for each mistake, and is all that there is to
 * say. A {@link JarRunner} passes it on as it is.
 */
public final class ProgramInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message what is wrong and where
     */
    public ProgramInputException(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message what is wrong and where
     * @param cause what lies behind it
     */
    public ProgramInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
