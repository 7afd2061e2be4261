package io.updraft.pipeline.sink;

/** A sink cannot write. The message is one line that says what is wrong and where. */
public final class SinkException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean transientFailure;

    private SinkException(String message, Throwable cause, boolean transientFailure) {
        super(message, cause);
        this.transientFailure = transientFailure;
    }

    /** Trying again may help: the other side is away, or is overloaded. */
    public static SinkException passing(String message, Throwable cause) {
        return new SinkException(message, cause, true);
    }

    /** Trying again does not help: a column is missing, a password is wrong, the process was fenced. */
    public static SinkException lasting(String message, Throwable cause) {
        return new SinkException(message, cause, false);
    }

    /** Whether trying again may help. */
    public boolean isTransient() {
        return transientFailure;
    }
}
