package io.updraft.transport.session;

/**
 * Thrown when a peer breaks the protocol or has the wrong identity. Ends the channel. The message is one line with the reason.
 */
final class ProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Ending ending;

    private ProtocolException(Ending ending, String message) {
        // Without a stack trace, because an unauthenticated peer can cause any number of these exceptions.
        super(message, null, false, false);
        this.ending = ending;
    }

    /** Creates the exception for a message that is not valid or not allowed now. */
    static ProtocolException garbage(String message) {
        return new ProtocolException(Ending.ERROR, message);
    }

    /** Creates the exception for a peer that is refused; reconnecting cannot succeed until the configuration changes. */
    static ProtocolException refused(String message) {
        return new ProtocolException(Ending.REFUSED, message);
    }

    Ending ending() {
        return ending;
    }
}
