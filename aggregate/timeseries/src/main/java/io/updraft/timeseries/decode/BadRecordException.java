package io.updraft.timeseries.decode;

/**
 * Thrown to abandon a bad record; the message is the reason. Has no stack trace, because a source may contain many bad records.
 */
final class BadRecordException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BadRecordException(String reason) {
        super(reason, null, false, false);
    }

    /** Refuses an empty record in every format. It is a mistake or a tombstone, and has no fields. */
    static void checkNotEmpty(int from, int end) {
        if (from == end) {
            throw new BadRecordException("an empty record: a tombstone, or a value of no bytes");
        }
    }
}
