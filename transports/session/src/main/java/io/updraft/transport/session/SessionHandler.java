package io.updraft.transport.session;

import java.nio.ByteBuffer;

/**
 * Receives the events of one session. Called by the owner of the transport from within doWork: onOpen, then onFrame and
 * onWritable, then onLost. The sequence repeats whenever a new channel is open. When one side refuses the other, onLost is
 * called without onOpen, once for each reason.
 *
 * <p>An exception thrown here is logged and closes the channel. The frame that was being handled counts as released.
 */
public interface SessionHandler {

    /**
     * Reports that a channel is open and both sides have authenticated.
     *
     * @param session the session; {@link Session#peer} shows whether the peer is the same process as before
     */
    void onOpen(Session session);

    /**
     * Receives a frame. Its bytes count against the credit until {@link Session#release} is called.
     *
     * @param session the session
     * @param frame the bytes of the frame; valid during the call only
     */
    void onFrame(Session session, ByteBuffer frame);

    /**
     * Reports that another offer may succeed.
     *
     * @param session the session
     */
    void onWritable(Session session);

    /**
     * Reports that the channel is lost, or that one side refused the other.
     *
     * @param session the session; if this side opened the session, it keeps reconnecting
     * @param loss the reason, and the frames that may have been lost
     */
    void onLost(Session session, SessionLoss loss);
}
