package io.updraft.servers;

/**
 * Thrown when a server does not behave as expected. The message begins with a one-line summary; the ends of the logs follow.
 */
public final class ServerException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    ServerException(String message) {
        super(message);
    }

    ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
