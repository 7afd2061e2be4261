package io.updraft.kafka.sink;

/** Thrown when results were not committed. {@link #remedy} says what to do. */
public final class WriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final WriteRemedy remedy;

    WriteException(String message, WriteRemedy remedy, Throwable cause) {
        super(message, cause);
        this.remedy = remedy;
    }

    /** Returns what to do. */
    public WriteRemedy remedy() {
        return remedy;
    }
}
