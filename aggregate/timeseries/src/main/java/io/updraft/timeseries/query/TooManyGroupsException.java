package io.updraft.timeseries.query;

/**
 * Thrown when there are more groups than the limits allow. The message contains the number of groups, the limit, and what to
 * do.
 */
public final class TooManyGroupsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** Creates an exception. The message is one line that names the limit and says how to raise it. */
    public TooManyGroupsException(String message) {
        super(message);
    }
}
