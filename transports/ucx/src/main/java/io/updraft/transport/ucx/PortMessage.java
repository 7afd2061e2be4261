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
record PortMessage(int port) {

    static final int BYTES = 12;

    private static final int MAGIC = 0x55504458;
    private static final int VERSION_AT = 4;
    private static final int PORT_AT = 8;
    private static final int MAX_PORT = 65_535;

    ByteBuffer encoded() {
        return ByteBuffer.allocate(BYTES)
                .putInt(MAGIC)
                .putInt(UcxFrame.VERSION)
                .putInt(port)
                .flip();
    }

    /**
     * Reads a message.
     *
     * @param received the bytes received so far, from 0 to the position
     * @return the message, or null if more bytes are needed
     * @throws UcxProtocolException when the bytes are not a valid message
     */
    static PortMessage decode(ByteBuffer received) throws UcxProtocolException {
        int bytes = received.position();
        if (bytes >= VERSION_AT && received.getInt(0) != MAGIC) {
            throw new UcxProtocolException("the other side is not a ucx transport without RDMA");
        }
        if (bytes >= PORT_AT && received.getInt(VERSION_AT) != UcxFrame.VERSION) {
            throw new UcxProtocolException("the other side has version " + received.getInt(VERSION_AT)
                    + " of the protocol, but this side has version " + UcxFrame.VERSION
                    + ": run the same release at both ends");
        }
        if (bytes < BYTES) {
            return null;
        }
        int port = received.getInt(PORT_AT);
        if (port < 0 || port > MAX_PORT) {
            throw new UcxProtocolException("the other side sent the invalid port " + port);
        }
        return new PortMessage(port);
    }
}
