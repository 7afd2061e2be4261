package io.updraft.transport;

/** Creates handlers for channels that peers open. Called by the owner of the transport from within poll. */
@FunctionalInterface
public interface ChannelAcceptor {

    /**
     * Accepts a channel that a peer has opened. Its {@link ChannelHandler#onOpen} follows.
     *
     * @return the handler of the channel
     */
    ChannelHandler accept();
}
