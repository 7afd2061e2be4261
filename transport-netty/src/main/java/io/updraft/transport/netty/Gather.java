package io.updraft.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * Collects messages of one connection in pooled direct memory: the one copy of a message, which lets its owner have its memory
 * back at once. Small ones share a buffer; a flush hands all buffers to the kernel with one gathering write.
 */
final class Gather implements ChannelFutureListener {

    /** A buffer of the pool; a message that is longer gets one of its own, of its length. */
    private static final int CHUNK = 64 * 1024;

    /** Below that much room a message rather begins a new buffer than being cut. */
    private static final int LEAST_ROOM = 256;

    private final Runnable written;
    /** Sizes of the buffers that were handed to Netty and not written yet, in the order of their writing. */
    private final ArrayDeque<Integer> handedOver = new ArrayDeque<>();

    private ByteBuf current;
    private long unsent;
    /** Bytes of the body that has begun and is not complete. */
    private int left;

    private boolean closed;

    /** Creates one that says when something was written. */
    Gather(Runnable written) {
        this.written = written;
    }

    /** Begins a body of so many bytes, all of which must follow. */
    void begin(Channel connection, int header, int bytes) {
        left = bytes;
        reserve(connection, Frames.HEADER + bytes);
        current.writeInt(header);
        unsent += Frames.HEADER + bytes;
    }

    /** Takes bytes of the body that has begun; their position moves to their limit. */
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

    /** Sees to it that there is a buffer with room for at least a part of so many bytes. */
    private void reserve(Channel connection, int bytes) {
        if (current != null && current.writableBytes() < Math.min(bytes, LEAST_ROOM)) {
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

    /** Writes all that was taken, as far as the kernel takes it; the rest follows when it can. */
    void flush(Channel connection) {
        if (current != null) {
            handOver(connection);
        }
        connection.flush();
    }

    /** Netty completes writes in order. A write that failed closes the connection, which says so itself. */
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

    /** Forgets all. Idempotent. */
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
