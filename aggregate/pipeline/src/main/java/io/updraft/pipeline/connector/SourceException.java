package io.updraft.pipeline.connector;

/** Thrown when a source cannot go on. The message is one line that names the cause and the place. */
public final class SourceException extends Exception {

    private static final long serialVersionUID = 1;

    /** Creates an exception; the message names the cause and the place in one line. */
    public SourceException(String message) {
        super(message);
    }

    /** Creates an exception; the message names the cause and the place in one line. */
    public SourceException(String message, Throwable cause) {
        super(message, cause);
    }
}
