package io.updraft.transport;

import java.nio.ByteBuffer;

/**
 * Hears of one channel. Called by the owner of the transport, from within poll, in this order: onOpen, then any number of
 * onMessage and onWritable, then onClosed; or onClosed alone. An exception thrown here closes the channel.
 */
public interface ChannelHandler {

    /**
     * The channel can be used.
     *
     * @param channel the channel
     */
    void onOpen(Channel channel);

    /**
     * A message has arrived.
     *
     * @param message its bytes from position to limit; valid during the call only, and read-only by agreement
     */
    void onMessage(ByteBuffer message);

    /** There is room again after an offer was refused. */
    void onWritable();

    /**
     * The channel is closed, or never came about. Nothing follows.
     *
     * @param reason why, for people, on one line; never null
     */
    void onClosed(String reason);
}
