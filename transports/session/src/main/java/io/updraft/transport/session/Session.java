package io.updraft.transport.session;

import java.nio.ByteBuffer;

/**
 * A connection to one peer that outlives channels. Owner of the transport only.
 *
 * <p>Frames arrive whole, once and in the order offered, as long as {@link SessionHandler#onLost} is not called in between. A
 * frame has from 1 byte to {@link #MAX_FRAME} bytes.
 *
 * <p>Credit: the receiver grants the number of bytes of frames that it is willing to hold, and {@link #release} gives credit
 * back for processed frames. The sender takes no frame while there is no credit. One frame may exceed the remaining credit, so
 * that the largest frame can always be sent. A receiver that has stopped processing thus bounds the memory on both sides and
 * delays only its own sender.
 */
public interface Session {

    /** The maximum size of a frame in bytes: 64 MiB. */
    int MAX_FRAME = 64 * 1024 * 1024;

    /** {@return the peer at the other end; null before the first onOpen} */
    PeerIdentity peer();

    /** {@return whether a channel is open and the peer has authenticated} */
    boolean isOpen();

    /**
     * Offers a frame. On success the bytes from position to limit are taken before this returns, and the position is at the
     * limit.
     *
     * @param frame 1 to {@link #MAX_FRAME} bytes
     * @return false when the session is not open, or there is no credit or no room: no bytes were taken, and
     *     {@link SessionHandler#onWritable} or {@link SessionHandler#onOpen} is called when another attempt is worthwhile
     * @throws IllegalArgumentException when the frame has no bytes or too many
     */
    boolean offer(ByteBuffer frame);

    /** Sends the frames taken so far. */
    void flush();

    /**
     * Gives credit back to the sender. Frames received over a channel that is lost are released in the same way, because they
     * count against the credit of the next channel.
     *
     * @param bytes bytes of received frames that need no memory any more
     * @throws IllegalArgumentException when that is more than was received and not released
     */
    void release(int bytes);

    /**
     * Closes the session for good. Frames taken are still sent, but this side does not learn whether they arrive. If the
     * session was open, the next doWork calls {@link SessionHandler#onLost}. Idempotent.
     */
    void close();
}
