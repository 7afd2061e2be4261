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
     */
    boolean offer(ByteBuffer message);

    /** Sends on what was taken. Cheap when there is nothing. */
    void flush();

    /** {@return bytes taken that have not been handed to the network yet; what a sender's memory holds} */
    long unsent();

    /** {@return the other end, for people} */
    String peer();

    /** Closes; what was taken and not sent is lost. The handler hears of it, from within a later poll. Idempotent. */
    void close();
}
