package io.updraft.kafka.sink;

/** Thrown when results were not committed. {@link #remedy} says what to do. */
public final class WriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Remedy remedy;
    private final transient RecordRefusals refusals;

    WriteException(String message, Remedy remedy, Throwable cause) {
        this(message, remedy, null, cause);
    }

    private WriteException(String message, Remedy remedy, RecordRefusals refusals, Throwable cause) {
        super(message, cause);
        this.remedy = remedy;
        this.refusals = refusals;
    }

    static WriteException refused(RecordRefusals refusals, Throwable cause) {
        String message = "Kafka refuses a result: " + cause.getMessage();
        return new WriteException(message, Remedy.LEAVE_OUT, refusals, cause);
    }

    /** Returns what to do. */
    public Remedy remedy() {
        return remedy;
    }

    /** Returns the refused records, with their numbers in the order of the results; null unless they are to be left out. */
    public RecordRefusals refusals() {
        return refusals;
    }

    /** What to do about results that could not be committed. */
    public enum Remedy {
        /** Nothing took effect. {@code commit} may be called again, with the same or with other results. */
        TRY_AGAIN,
        /** Nothing took effect. The results can be committed without the records of {@link WriteException#refusals}. */
        LEAVE_OUT,
        /** Nothing took effect. The same results would be refused again. */
        GIVE_UP,
        /**
         * The outcome is not known yet. Call {@code commit} again with the same results, and commit nothing else until that call
         * has returned.
         */
        ASK_AGAIN,
        /** The outcome is not known and never will be. Leave the group, join it again, and read on from the committed positions. */
        REJOIN
    }
}
