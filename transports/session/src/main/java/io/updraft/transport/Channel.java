package io.updraft.transport;

import java.nio.ByteBuffer;

/**
 * An ordered, reliable channel for messages to and from one peer. Owner of the transport only.
 *
 * <p>While a channel is open, messages arrive whole, once and in the order in which they were offered. When the channel closes,
 * a prefix of the offered messages has arrived; the sender does not learn how long the prefix is. A message has 1 to
 * {@link #maxMessage} bytes.
 */
public interface Channel {

    /** {@return the maximum size of one message in bytes; at least 1024} */
    int maxMessage();

    /**
     * Offers a message. On success the bytes from position to limit are copied or written before this returns, and the position
     * is at the limit. The bytes are sent at the latest after {@link #flush} and the next poll.
     *
     * @param message 1 to {@link #maxMessage} bytes
     * @return false when there is no room now: no bytes were taken, and {@link ChannelHandler#onWritable} is called when there
     *     is room. Always false on a closed channel
     * @throws IllegalArgumentException when the message has no bytes or too many
     */
    default boolean offer(ByteBuffer message) {
        return offer(ByteBuffer.allocate(0), message);
    }

    /**
     * Offers a message that lies in two buffers, in the same way as {@link #offer(ByteBuffer)}. This lets a caller put a header
     * before bytes written by another component. The transport joins both as it copies them into its send buffer, so no extra
     * copy is made.
     *
     * @param head the first bytes, preferably few; may be empty
     * @param body the bytes that follow; may be empty
     * @return false when there is no room now; no bytes of either buffer were taken
     * @throws IllegalArgumentException when the message has no bytes or too many
     */
    boolean offer(ByteBuffer head, ByteBuffer body);

    /** Sends the messages taken so far. Cheap when there are none. */
    void flush();

    /** {@return the bytes taken that have not been handed to the network yet, and so occupy memory of the sender} */
    long unsent();

    /** {@return the other end, as text for people} */
    String peer();

    /**
     * Closes the channel. Messages taken and not sent are lost. A later poll calls {@link ChannelHandler#onClosed}. Idempotent.
     */
    void close();

    /**
     * Checks the length of an offered message. For implementations of this interface.
     *
     * @param to the channel to which the message was offered
     * @param head the first bytes
     * @param body the bytes that follow
     * @return the length of both buffers in bytes
     * @throws IllegalArgumentException when the message has no bytes or too many
     */
    static int checkedLength(Channel to, ByteBuffer head, ByteBuffer body) {
        long length = (long) head.remaining() + body.remaining();
        if (length < 1 || length > to.maxMessage()) {
            throw new IllegalArgumentException("a message of " + length + " bytes was offered to the channel to "
                    + to.peer() + ": the size must be from 1 to " + to.maxMessage());
        }
        return (int) length;
    }
}
