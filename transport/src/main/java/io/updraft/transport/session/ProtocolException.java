package io.updraft.transport.session;

/** A peer says what it must not say, or is not who it must be. Ends the channel; the message says why, on one line. */
final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Ending ending;

    private ProtocolException(Ending ending, String message) {
        // Without a stack trace: a stranger decides how often this is thrown.
        super(message, null, false, false);
        this.ending = ending;
    }

    /** What a peer sent cannot be understood, or came when it must not. */
    static ProtocolException garbage(String message) {
        return new ProtocolException(Ending.ERROR, message);
    }

    /** A peer is not one to talk to, and will not be until somebody changes something. */
    static ProtocolException refused(String message) {
        return new ProtocolException(Ending.REFUSED, message);
    }

    Ending ending() {
        return ending;
    }
}
