package io.updraft.transport;

import java.nio.ByteBuffer;

/**
 * An ordered, reliable way for messages to one peer and back. Owner of the transport only.
 *
 * <p>What is promised while a channel is open: messages arrive whole, once, in the order in which they were offered. When it
 * closes, a prefix of what was offered has arrived and nobody knows how long a prefix. A message is bytes, from 1 to
 * {@link #maxMessage}.
 */
public interface Channel {

    /** {@return the most bytes of one message; at least 1024} */
    int maxMessage();

    /**
     * Takes a message, or not. On success the bytes from position to limit are taken, copied or written before this returns,
     * and the position is at the limit. They are on their way at the latest after {@link #flush} and the next poll.
     *
     * @param message 1 to {@link #maxMessage} bytes
     * @return false when there is no room now: nothing was taken; {@link ChannelHandler#onWritable} will be called when there
     *     is. Always false on a closed channel
     * @throws IllegalArgumentException when the message has no bytes or too many
     */
    default boolean offer(ByteBuffer message) {
        return offer(NoBytes.BUFFER, message);
    }

    /**
     * Takes a message that lies in two places, as {@link #offer(ByteBuffer)} does one that lies in one. This is for whoever puts
     * something before what another has written: the transport brings both together as it copies them to where it sends them
     * from, which it has to do anyway.
     *
     * @param head the first bytes, best a few only; any number of them, also none
     * @param body the bytes behind; any number of them, also none
     * @return false when there is no room now: nothing was taken, of neither
     * @throws IllegalArgumentException when the message has no bytes or too many
     */
    boolean offer(ByteBuffer head, ByteBuffer body);

    /** Sends on what was taken. Cheap when there is nothing. */
    void flush();

    /** {@return bytes taken that have not been handed to the network yet; what a sender's memory holds} */
    long unsent();

    /** {@return the other end, for people} */
    String peer();

    /** Closes; what was taken and not sent is lost. The handler hears of it, from within a later poll. Idempotent. */
    void close();

    /**
     * Checks how long an offered message is, for those who implement this.
     *
     * @param to where it was offered
     * @param head its first bytes
     * @param body those behind
     * @return the bytes of both
     * @throws IllegalArgumentException when the message has no bytes or too many
     */
    static int checkedLength(Channel to, ByteBuffer head, ByteBuffer body) {
        long length = (long) head.remaining() + body.remaining();
        if (length < 1 || length > to.maxMessage()) {
            throw new IllegalArgumentException("a message of " + length + " bytes was offered to the channel to "
                    + to.peer() + ": it must have 1 to " + to.maxMessage());
        }
        return (int) length;
    }
}
