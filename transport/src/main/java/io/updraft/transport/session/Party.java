package io.updraft.transport.session;

/** On whose behalf a channel is used: of one that connects, or of one that listens. */
interface Party {

    /** A peer says who it is, unproved. Throws if it is not one to talk to; returns its session if that is known already. */
    PeerSession expect(Peer claimed) throws ProtocolException;

    /** A peer has proved who it is: gives the session that goes on, or begins, over this channel. */
    PeerSession admit(Peer peer, long channel) throws ProtocolException;

    /**
     * A channel came to its end.
     *
     * @param reason why, for people
     * @param refused see {@link Loss#refused}
     * @param openNanos for how long both had proved who they are; -1 if it did not come so far
     */
    void ended(String reason, boolean refused, long openNanos);

    /** The user closed the session. */
    void closed(PeerSession session);
}
