package io.updraft.transport.session;

/** The end of a channel. A proof of one end is not valid for the other end. */
enum Role {
    /** The side that opened the channel. */
    CONNECTOR,
    /** The side that listened. */
    LISTENER;

    byte code() {
        return (byte) (this == CONNECTOR ? 1 : 2);
    }

    Role other() {
        return this == CONNECTOR ? LISTENER : CONNECTOR;
    }
}
