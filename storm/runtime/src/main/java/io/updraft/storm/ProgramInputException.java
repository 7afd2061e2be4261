package io.updraft.storm;

/**
 * Thrown when a program's own input is wrong. The message says what is wrong and where, with one line for each mistake, and
 * needs no stack trace. {@link JarRunner} passes the message on unchanged.
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
     * @param cause the exception behind it
     */
    public ProgramInputException(String message, Throwable cause) {
        super(message, cause);
    }
}
