package io.updraft.transport.session;

/**
 * Thrown when a peer breaks the protocol or has the wrong identity. Ends the channel. The message is one line with the reason.
 */
final class SessionProtocolException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ChannelEnding ending;

    private SessionProtocolException(ChannelEnding ending, String message) {
        // Without a stack trace, because an unauthenticated peer can cause any number of these exceptions.
        super(message, null, false, false);
        this.ending = ending;
    }

    /** Creates the exception for a message that is not valid or not allowed now. */
    static SessionProtocolException garbage(String message) {
        return new SessionProtocolException(ChannelEnding.ERROR, message);
    }

    /** Creates the exception for a side that does not know its peers yet; a new channel will work. */
    static SessionProtocolException notReady(String message) {
        return new SessionProtocolException(ChannelEnding.ERROR, message);
    }

    /** Creates the exception for a peer that is refused; reconnecting cannot succeed until the configuration changes. */
    static SessionProtocolException refused(String message) {
        return new SessionProtocolException(ChannelEnding.REFUSED, message);
    }

    ChannelEnding ending() {
        return ending;
    }
}
