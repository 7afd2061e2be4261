package io.updraft.transport;

/** Makes handlers for channels that peers open. Called by the owner of the transport from within poll. */
@FunctionalInterface
public interface ChannelAcceptor {

    /**
     * Takes a channel that a peer has opened. Its {@link ChannelHandler#onOpen} follows.
     *
     * @return who hears of the channel
     */
    ChannelHandler accept();
}
