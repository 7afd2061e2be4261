package io.updraft.pipeline.source;

/** A source cannot go on. The message is one line that says what is wrong and where. */
public final class SourceException extends Exception {

    private static final long serialVersionUID = 1;

    /** Says what is wrong, and where, in one line. */
    public SourceException(String message) {
        super(message);
    }

    /** Says what is wrong, and where, in one line; the cause is for those who want the stack. */
    public SourceException(String message, Throwable cause) {
        super(message, cause);
    }
}
