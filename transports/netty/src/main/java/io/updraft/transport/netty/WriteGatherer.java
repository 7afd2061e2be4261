package io.updraft.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Collects the messages of one connection in pooled direct memory. This is the only copy of a message; afterwards the caller
 * may reuse its memory. Small messages share a buffer. A flush hands all buffers to the kernel with one gathering write.
 */
final class WriteGatherer implements ChannelFutureListener {

    /** Size of a pooled buffer, bytes. A longer message gets a buffer of its own length. */
    private static final int CHUNK = 64 * 1024;

    /** If a buffer has less room than this, a message starts a new buffer instead of being split. */
    private static final int LEAST_CAPACITY = 256;

    private final Runnable written;
    /** Sizes of the buffers that were handed to Netty and are not written yet, in the order of writing. */
    private final ArrayDeque<Integer> handedOver = new ArrayDeque<>();

    private ByteBuf current;
    private long unsent;
    /** Missing bytes of the body that has been started. */
    private int left;

    private boolean closed;

    /** Creates an empty instance; {@code written} is called after each write. */
    WriteGatherer(Runnable written) {
        this.written = written;
    }

    /** Starts a body of {@code bytes} bytes, all of which must follow. */
    void begin(Channel connection, int header, int bytes) {
        left = bytes;
        reserve(connection, NettyFrames.HEADER + bytes);
        current.writeInt(header);
        unsent += NettyFrames.HEADER + bytes;
    }

    /** Adds bytes to the body that has been started; moves their position to their limit. */
    void add(Channel connection, ByteBuffer bytes) {
        int limit = bytes.limit();
        while (bytes.hasRemaining()) {
            reserve(connection, left);
            int part = Math.min(bytes.remaining(), current.writableBytes());
            current.writeBytes(bytes.limit(bytes.position() + part));
            bytes.limit(limit);
            left -= part;
        }
    }

    /** Ensures a buffer with room for {@code bytes}, or for a part of them. */
    private void reserve(Channel connection, int bytes) {
        if (current != null && current.writableBytes() < Math.min(bytes, LEAST_CAPACITY)) {
            handOver(connection);
        }
        if (current == null) {
            int capacity = Math.max(bytes, CHUNK);
            current = NettyTransport.ALLOCATOR.directBuffer(capacity, capacity);
        }
    }

    private void handOver(Channel connection) {
        handedOver.add(current.readableBytes());
        ByteBuf full = current;
        current = null;
        connection.write(full).addListener(this);
    }

    /** Writes all collected bytes, as far as the kernel accepts them. The rest follows when the kernel accepts more. */
    void flush(Channel connection) {
        if (current != null) {
            handOver(connection);
        }
        connection.flush();
    }

    /**
     * Counts a completed write. Netty completes writes in order. A failed write closes the connection, which is reported
     * separately.
     */
    @Override
    public void operationComplete(ChannelFuture write) {
        if (!closed && !handedOver.isEmpty()) {
            unsent -= handedOver.poll();
            written.run();
        }
    }

    long unsent() {
        return unsent;
    }

    /** Discards all collected bytes. Idempotent. */
    void close() {
        closed = true;
        unsent = 0;
        handedOver.clear();
        if (current != null) {
            current.release();
            current = null;
        }
    }
}
