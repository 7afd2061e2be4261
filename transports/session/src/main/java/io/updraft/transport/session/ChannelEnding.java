package io.updraft.transport.session;

/** The way in which a side ended a channel. The ordinals are codes on the wire: do not change the order. */
enum ChannelEnding {
    /** The user of the side closed the session, or a newer channel has replaced this one. */
    GOODBYE,
    /** A message on the channel was not valid, a handler failed, or the side does not know its peers yet; a new channel may work. */
    ERROR,
    /** The side refuses this peer. */
    REFUSED
}
