package io.updraft.transport.session;

/** The user of a channel: a {@link SessionConnector} or a {@link SessionListener}. */
interface ChannelUser {

    /**
     * Checks the claimed, unproved identity of a peer. Throws if the peer is not the expected one. Returns the session if it is
     * already known, otherwise null.
     */
    PeerSession expect(PeerIdentity claimed) throws SessionProtocolException;

    /** Returns the session that continues or begins over the channel of an authenticated peer. */
    PeerSession admit(PeerIdentity peer, long channel) throws SessionProtocolException;

    /**
     * Reports that a channel has ended.
     *
     * @param refused see {@link SessionLoss#refused}
     * @param openNanos how long the channel was open, that is, both sides had authenticated; -1 if it never was
     */
    void ended(String reason, boolean refused, long openNanos);

    /** Reports that the user has closed the session. */
    void closed(PeerSession session);
}
