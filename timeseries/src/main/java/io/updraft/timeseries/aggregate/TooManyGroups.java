package io.updraft.timeseries.aggregate;

/** There are more groups than there is room for. The message says how many, how much room, and what can be done. */
public final class TooManyGroups extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Says what the limit was, and how to raise it, in one line. */
    public TooManyGroups(String message) {
        super(message);
    }
}
