package io.updraft.transport.security;

/** Which end of a channel a peer is. What one end proves is worth nothing at the other end. */
public enum Role {

    /** The one that opened the channel. */
    CONNECTOR(1),

    /** The one that listened. */
    LISTENER(2);

    private final byte code;

    Role(int code) {
        this.code = (byte) code;
    }

    /** {@return how it is written on the wire} */
    public byte code() {
        return code;
    }

    /** {@return the role of the peer} */
    public Role other() {
        return this == CONNECTOR ? LISTENER : CONNECTOR;
    }
}
