package io.updraft.transport;

/** A transport cannot do what it was asked to. The message is for people: one line that says what, where and what to do. */
public final class TransportException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message one line for people
     */
    public TransportException(String message) {
        super(message);
    }

    /**
     * Creates an exception.
     *
     * @param message one line for people
     * @param cause what led to it
     */
    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
