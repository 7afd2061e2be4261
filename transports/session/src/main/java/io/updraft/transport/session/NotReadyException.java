package io.updraft.transport.session;

/** Thrown by the function that accepts peers if it does not know its peers yet. The peer connects again. */
public final class NotReadyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param reason the reason in one line, which the peer receives
     */
    public NotReadyException(String reason) {
        super(reason, null, false, false);
    }
}
