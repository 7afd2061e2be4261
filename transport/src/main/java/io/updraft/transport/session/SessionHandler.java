package io.updraft.transport.session;

import java.nio.ByteBuffer;

/**
 * Hears of one session. Called by the owner of the transport, from within doWork: onOpen, then onFrame and onWritable, then
 * onLost; and again from the start whenever a new channel has been opened. Where the peer, or this side, refuses the other,
 * onLost comes without onOpen, once for each reason.
 *
 * <p>An exception thrown here is logged and closes the channel; the frame that was being handled counts as released.
 */
public interface SessionHandler {

    /**
     * A channel is open and both sides have proved who they are.
     *
     * @param session the session; {@link Session#peer} tells whether it is the same process as before
     */
    void onOpen(Session session);

    /**
     * A frame has arrived. Its credit is used up until {@link Session#release} gives it back.
     *
     * @param session the session
     * @param frame its bytes; valid during the call only
     */
    void onFrame(Session session, ByteBuffer frame);

    /**
     * It is worth trying to offer again.
     *
     * @param session the session
     */
    void onWritable(Session session);

    /**
     * The channel is gone.
     *
     * @param session the session; if this side opened it, it goes on trying
     * @param loss why, and what may have been lost
     */
    void onLost(Session session, Loss loss);
}
