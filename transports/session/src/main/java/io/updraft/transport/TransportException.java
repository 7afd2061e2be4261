package io.updraft.transport;

/**
 * Thrown when a transport cannot perform an operation. The message is one line for people: the failure, the place and the
 * remedy.
 */
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
     * @param cause the cause
     */
    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
