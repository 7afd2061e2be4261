package io.updraft.timeseries.decode;

/** Leaves a record that is bad; the message is the reason. Without a stack trace, as a source may be full of them. */
final class BadRecord extends RuntimeException {

    private static final long serialVersionUID = 1;

    BadRecord(String reason) {
        super(reason, null, false, false);
    }

    /** Refuses a record of no bytes in any format: it is a mistake, or a tombstone, and says nothing of any field. */
    static void ifEmpty(int from, int end) {
        if (from == end) {
            throw new BadRecord("an empty record: it has no value, as a tombstone, or one of no bytes");
        }
    }
}
