package io.updraft.transport.ucx;

import java.nio.ByteBuffer;

/**
 * What two sides tell each other over a plain socket before UCX connects them, big-endian.
 *
 * <pre>
 *   0        4         8       12
 *   +--------+---------+-------+
 *   | magic  | version | port  |
 *   +--------+---------+-------+
 * </pre>
 *
 * @param port where UCX waits for the other side; 0 from the side that connects
 */
record Card(int port) {

    static final int BYTES = 12;

    private static final int MAGIC = 0x55504458;
    private static final int VERSION_AT = 4;
    private static final int PORT_AT = 8;
    private static final int MOST_PORT = 65_535;

    /** {@return the card as it is sent} */
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
     * @param received what has arrived so far, from 0 to the position
     * @return the card, or null while there is not all of it
     * @throws ProtocolException when it will never be one
     */
    static Card decode(ByteBuffer received) throws ProtocolException {
        int bytes = received.position();
        if (bytes >= VERSION_AT && received.getInt(0) != MAGIC) {
            throw new ProtocolException("the other side is not a ucx transport without RDMA");
        }
        if (bytes >= PORT_AT && received.getInt(VERSION_AT) != Frame.VERSION) {
            throw new ProtocolException("the other side speaks version " + received.getInt(VERSION_AT)
                    + " of the protocol of this transport, and this side version " + Frame.VERSION
                    + ": run the same release at both ends");
        }
        if (bytes < BYTES) {
            return null;
        }
        int port = received.getInt(PORT_AT);
        if (port < 0 || port > MOST_PORT) {
            throw new ProtocolException("the other side names port " + port);
        }
        return new Card(port);
    }
}
