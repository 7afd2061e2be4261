package io.updraft.timeseries.record;

/**
 * Thrown to abandon a rejected record; the message is the reason. Has no stack trace, because a source may contain many bad records.
 */
public final class RejectedRecordException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Creates an exception. The reason is one line. */
    public RejectedRecordException(String reason) {
        super(reason, null, false, false);
    }

    /** Refuses an empty record in every format. It is a mistake or a tombstone, and has no fields. */
    public static void checkNotEmpty(int from, int end) {
        if (from == end) {
            throw new RejectedRecordException("an empty record: a tombstone, or a value of no bytes");
        }
    }
}
