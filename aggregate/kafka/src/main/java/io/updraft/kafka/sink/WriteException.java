package io.updraft.kafka.sink;

/** Thrown when results were not committed. {@link #remedy} says what to do. */
public final class WriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final WriteRemedy remedy;
    private final transient RecordRefusals refusals;

    WriteException(String message, WriteRemedy remedy, Throwable cause) {
        this(message, remedy, null, cause);
    }

    private WriteException(String message, WriteRemedy remedy, RecordRefusals refusals, Throwable cause) {
        super(message, cause);
        this.remedy = remedy;
        this.refusals = refusals;
    }

    static WriteException refused(RecordRefusals refusals, Throwable cause) {
        String message = "Kafka refuses a result: " + cause.getMessage();
        return new WriteException(message, WriteRemedy.LEAVE_OUT, refusals, cause);
    }

    /** Returns what to do. */
    public WriteRemedy remedy() {
        return remedy;
    }

    /** Returns the refused records, with their numbers in the order of the results; null unless they are to be left out. */
    public RecordRefusals refusals() {
        return refusals;
    }
}
