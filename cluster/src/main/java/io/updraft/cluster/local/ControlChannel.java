package io.updraft.cluster.local;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * One end of a connection between coordinator and worker. Each message is preceded by its length, four bytes.
 *
 * <p>One thread receives; any thread may send. The channel does not use the socket's streams: on JDK 17 a stream that reads a
 * SocketChannel blocks writers.
 */
final class ControlChannel implements Closeable {
    private static final int MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

    private final SocketChannel socket;
    private final Object sending = new Object();
    private final ByteBuffer header = ByteBuffer.allocate(Integer.BYTES);

    /** Creates an end of a connection. */
    public ControlChannel(SocketChannel socket) {
        this.socket = socket;
    }

    /**
     * Sends a message; blocks while the peer does not read.
     *
     * @throws IOException when the connection is lost
     */
    public void send(ControlMessage message) throws IOException {
        byte[] body = ControlCodec.encode(message);
        ByteBuffer whole = ByteBuffer.allocate(Integer.BYTES + body.length);
        whole.putInt(body.length).put(body).flip();
        synchronized (sending) {
            while (whole.hasRemaining()) {
                socket.write(whole);
            }
        }
    }

    /**
     * Waits for the next message.
     *
     * @return the message, or null when the peer has closed the connection
     * @throws IOException when the received bytes are not a message
     */
    public ControlMessage receive() throws IOException {
        header.clear();
        if (!fill(header)) {
            return null;
        }
        int length = header.flip().getInt();
        if (length < 2 || length > MAX_MESSAGE_BYTES) {
            throw new IOException("refused a control message of " + length + " bytes: it must have 2 bytes to 256 MiB");
        }
        ByteBuffer body = ByteBuffer.allocate(length);
        if (!fill(body)) {
            throw new EOFException("the connection was closed within a control message");
        }
        return ControlCodec.decode(body.flip());
    }

    /** Reads until the buffer is full. {@return false if the connection was closed before the first byte} */
    private boolean fill(ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (socket.read(into) < 0) {
                if (into.position() > 0) {
                    throw new EOFException("the connection was closed within a control message");
                }
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
