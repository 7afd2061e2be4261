package io.updraft.transport.session;

/** In what way a side ended a channel. The order is the wire's: do not change it. */
enum Ending {
    /** It was asked to by its own user, or has a newer channel. */
    GOODBYE,
    /** Something was wrong with what came over the channel; another channel may do. */
    ERROR,
    /** It does not talk to this peer. */
    REFUSED
}
