package io.updraft.timeseries.decode;

/** Leaves a record that is bad; the message is the reason. Without a stack trace, as a source may be full of them. */
final class BadRecord extends RuntimeException {

    private static final long serialVersionUID = 1;

    BadRecord(String reason) {
        super(reason, null, false, false);
    }
}
