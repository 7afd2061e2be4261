package io.updraft.transport.session;

import java.nio.ByteBuffer;

/**
 * A lasting relation with one peer. Owner of the transport only.
 *
 * <p>Frames arrive whole, once and in the order in which they were offered, as long as no {@link SessionHandler#onLost} comes
 * in between. A frame has from 1 byte to {@link #MAX_FRAME}.
 *
 * <p>Credit: the receiver says how many bytes of frames it is willing to hold, {@link #release} gives back what it has worked
 * off, and the sender takes no frame while there is no credit. One frame may overdraw it, so that the largest frame can
 * always be sent. So a receiver that stands still bounds the memory on both sides, and delays nobody but this sender.
 */
public interface Session {

    /** The most bytes of a frame: 64 MiB. */
    int MAX_FRAME = 64 * 1024 * 1024;

    /** {@return who is at the other end; known from onOpen on} */
    Peer peer();

    /** {@return whether a channel is open and the peer has proved who it is} */
    boolean isOpen();

    /**
     * Takes a frame, or not. On success its bytes from position to limit are taken before this returns, and the position is at
     * the limit.
     *
     * @param frame 1 to {@link #MAX_FRAME} bytes
     * @return false when the session is not open or there is no credit or no room: nothing was taken;
     *     {@link SessionHandler#onWritable} or {@link SessionHandler#onOpen} will be called when it is worth trying again
     * @throws IllegalArgumentException when the frame has no bytes or too many
     */
    boolean offer(ByteBuffer frame);

    /** Sends on what was taken. */
    void flush();

    /**
     * Gives credit back to the sender. What was received over a channel that is gone is released in the same way: it counts
     * against the credit of the next one.
     *
     * @param bytes of frames that were received and need no memory any more
     * @throws IllegalArgumentException when that is more than was received and not released
     */
    void release(int bytes);

    /**
     * Ends the relation for good. What was taken is still sent, but this side will not know whether it arrived. The handler
     * hears {@link SessionHandler#onLost} from within the next doWork if it was open. Idempotent.
     */
    void close();
}
