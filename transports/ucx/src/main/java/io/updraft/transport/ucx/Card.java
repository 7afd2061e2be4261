package io.updraft.transport.ucx;

import java.nio.ByteBuffer;

/**
 * The message that two sides exchange over a plain socket before UCX connects them, big-endian.
 *
 * <pre>
 *   0        4         8       12
 *   +--------+---------+-------+
 *   | magic  | version | port  |
 *   +--------+---------+-------+
 * </pre>
 *
 * @param port the port at which UCX waits for the other side; 0 from the connecting side
 */
record Card(int port) {

    static final int BYTES = 12;

    private static final int MAGIC = 0x55504458;
    private static final int VERSION_AT = 4;
    private static final int PORT_AT = 8;
    private static final int MOST_PORT = 65_535;

    /** {@return the encoded card} */
    ByteBuffer encoded() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putInt(Frame.VERSION)
                .putInt(port)
                .flip();
    }

    /**
     * Reads a card.
     *
     * @param received the bytes received so far, from 0 to the position
     * @return the card, or null if more bytes are needed
     * @throws ProtocolException when the bytes are not a valid card
     */
    static Card decode(ByteBuffer received) throws ProtocolException {
        int bytes = received.position();
        if (bytes >= VERSION_AT && received.getInt(0) != MAGIC) {
            throw new ProtocolException("the other side is not a ucx transport without RDMA");
        }
        if (bytes >= PORT_AT && received.getInt(VERSION_AT) != Frame.VERSION) {
            throw new ProtocolException("the other side has version " + received.getInt(VERSION_AT)
                    + " of the protocol, but this side has version " + Frame.VERSION
                    + ": run the same release at both ends");
        }
        if (bytes < BYTES) {
            return null;
        }
        int port = received.getInt(PORT_AT);
        if (port < 0 || port > MOST_PORT) {
            throw new ProtocolException("the other side sent the invalid port " + port);
        }
        return new Card(port);
    }
}
