package io.updraft.servers;

/** A server that does not do what it should. The message begins with one line that says so; the ends of its logs follow. */
public final class ServerException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    ServerException(String message) {
        super(message);
    }

    ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
