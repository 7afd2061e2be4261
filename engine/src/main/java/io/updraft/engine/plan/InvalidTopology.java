package io.updraft.engine.plan;

/** A topology or configuration that cannot be planned; the message names the component, the stream and the remedy. */
public final class InvalidTopology extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message one line that names what is wrong, where, and what to do about it
     */
    public InvalidTopology(String message) {
        super(message);
    }

    /**
     * Creates the exception.
     *
     * @param message one line that names what is wrong, where, and what to do about it
     * @param cause the cause
     */
    public InvalidTopology(String message, Throwable cause) {
        super(message, cause);
    }
}
