package io.updraft.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Splits the bytes of a connection into messages. A message that lies within one read is passed on in place. Other messages are
 * assembled in a buffer that grows with the received bytes, so an announced length alone allocates little.
 */
final class NettyFrameReader {

    private static final int FIRST_CAPACITY = 64 * 1024;

    private final ByteBufAllocator allocator;
    private final int maxMessage;
    private final NettyChannel channel;
    private int header;
    private int headerBytes;
    private ByteBuf body;
    private boolean ended;

    NettyFrameReader(ByteBufAllocator allocator, int maxMessage, NettyChannel channel) {
        this.allocator = allocator;
        this.maxMessage = maxMessage;
        this.channel = channel;
    }

    /** Reads received bytes; does not release the buffer. */
    void read(ByteBuf in) {
        while (!ended && hasHeader(in)) {
            if (NettyFrames.isWrong(header, maxMessage)) {
                ended = true;
                channel.onWrong(header);
            } else if (!readBody(in, header & NettyFrames.MAX_BODY)) {
                return;
            }
        }
    }

    private boolean hasHeader(ByteBuf in) {
        if (headerBytes == 0 && in.readableBytes() >= NettyFrames.HEADER) {
            header = in.readInt();
            headerBytes = NettyFrames.HEADER;
        }
        while (headerBytes < NettyFrames.HEADER && in.isReadable()) {
            header = header << Byte.SIZE | in.readByte() & 0xFF;
            headerBytes++;
        }
        return headerBytes == NettyFrames.HEADER;
    }

    private boolean readBody(ByteBuf in, int length) {
        if (body == null && in.readableBytes() >= length) {
            int at = in.readerIndex();
            in.skipBytes(length);
            deliver(in, at, length);
            return true;
        }
        if (body == null) {
            body = allocator.directBuffer(Math.min(length, FIRST_CAPACITY), length);
        }
        int part = Math.min(length - body.readableBytes(), in.readableBytes());
        in.readBytes(body.ensureWritable(part), part);
        if (body.readableBytes() < length) {
            return false;
        }
        ByteBuf whole = body;
        body = null;
        try {
            deliver(whole, 0, length);
        } finally {
            whole.release();
        }
        return true;
    }

    private void deliver(ByteBuf buffer, int at, int length) {
        boolean compressed = (header & NettyFrames.COMPRESSED) != 0;
        headerBytes = 0;
        header = 0;
        // The buffer's own ByteBuffer, which is used again for the next message: a handler may have changed its byte
        // order.
        ByteBuffer message = buffer.internalNioBuffer(at, length).order(ByteOrder.BIG_ENDIAN);
        ended = !channel.onFrame(message, compressed);
    }

    /** Stops reading. Idempotent; may be called from within a callback. */
    void close() {
        ended = true;
        if (body != null) {
            body.release();
            body = null;
        }
    }
}
