package io.updraft.transport;

import java.nio.ByteBuffer;

/**
 * Receives the events of one channel. Called by the owner of the transport, from within poll, in this order: onOpen, then any
 * number of onMessage and onWritable, then onClosed; or onClosed alone. An exception thrown here closes the channel.
 */
public interface ChannelHandler {

    /**
     * Reports that the channel is open.
     *
     * @param channel the channel
     */
    void onOpen(Channel channel);

    /**
     * Receives a message.
     *
     * @param message the bytes from position to limit; valid during the call only, and read-only by agreement
     */
    void onMessage(ByteBuffer message);

    /** Reports that there is room again after a refused offer. */
    void onWritable();

    /**
     * Reports that the channel is closed, or could not be opened. No further call follows.
     *
     * @param reason the reason on one line, as text for people; never null
     */
    void onClosed(String reason);
}
