package io.updraft.transport.security;

/** The end of a channel. A proof of one end is not valid for the other end. */
public enum Role {

    /** The side that opened the channel. */
    CONNECTOR(1),

    /** The side that listened. */
    LISTENER(2);

    private final byte code;

    Role(int code) {
        this.code = (byte) code;
    }

    /** {@return the code on the wire} */
    public byte code() {
        return code;
    }

    /** {@return the role of the peer} */
    public Role other() {
        return this == CONNECTOR ? LISTENER : CONNECTOR;
    }
}
