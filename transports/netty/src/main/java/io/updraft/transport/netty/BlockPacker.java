package io.updraft.transport.netty;

import com.github.luben.zstd.ZstdException;
import io.updraft.transport.netty.MessageCompression.CorruptException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;

/** Compresses and decompresses the messages of one transport, in reused memory. Owner only. */
final class BlockPacker {

    private final MessageCompression compression;
    private final int maxMessage;
    private final Scratch packed = new Scratch();
    private final Scratch unpacked = new Scratch();
    private final Scratch direct = new Scratch();

    BlockPacker(MessageCompression compression, int maxMessage) {
        this.compression = compression;
        this.maxMessage = maxMessage;
    }

    /**
     * Compresses a message; moves no position of it.
     *
     * @return the body to send instead, valid until the next call; null when compression does not make the message smaller
     */
    ByteBuffer pack(ByteBuffer head, ByteBuffer body) {
        int length = head.remaining() + body.remaining();
        if (compression == MessageCompression.NONE || length < MessageCompression.WORTHWHILE) {
            return null;
        }
        ByteBuffer result = packed.ofSize(MessageCompression.HEADER + compression.most(length));
        result.put(compression.id()).putInt(length);
        int end = result.position() + compression.pack(joined(head, body), result);
        return end < length ? result.position(0).limit(end) : null;
    }

    private ByteBuffer joined(ByteBuffer head, ByteBuffer body) {
        if (!head.hasRemaining()) {
            return inDirectMemory(body);
        }
        ByteBuffer whole = direct.ofSize(head.remaining() + body.remaining());
        return whole.put(head.duplicate()).put(body.duplicate()).flip();
    }

    /**
     * Decompresses the body of a message.
     *
     * @return the message, valid until the next call
     * @throws CorruptException when no Updraft peer can have sent the body
     */
    ByteBuffer unpack(ByteBuffer body) throws CorruptException {
        if (body.remaining() <= MessageCompression.HEADER) {
            throw new CorruptException("a compressed message without contents");
        }
        MessageCompression by = MessageCompression.byId(body.get());
        int length = body.getInt();
        if (length < 1 || length > maxMessage) {
            throw new CorruptException(
                    "a compressed message that claims to have " + length + " bytes, but the limit is " + maxMessage);
        }
        ByteBuffer message = unpacked.ofSize(length);
        int found = unpack(by, inDirectMemory(body), message);
        if (found != length) {
            throw new CorruptException("a compressed message of " + found + " bytes that claims to have " + length);
        }
        return message;
    }

    private static int unpack(MessageCompression by, ByteBuffer body, ByteBuffer into) throws CorruptException {
        try {
            return by.unpack(body, into);
        } catch (LZ4Exception | ZstdException corrupt) {
            throw new CorruptException(
                    "a compressed message that cannot be decompressed: " + FailureReasons.root(corrupt));
        }
    }

    /** Returns the bytes in direct memory, which the native code requires. TLS, for example, delivers heap arrays. */
    private ByteBuffer inDirectMemory(ByteBuffer bytes) {
        return bytes.isDirect()
                ? bytes
                : direct.ofSize(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    /** Reused direct memory; grows to the largest size needed so far. */
    private static final class Scratch {

        private ByteBuffer memory = ByteBuffer.allocateDirect(0);

        ByteBuffer ofSize(int bytes) {
            if (memory.capacity() < bytes) {
                memory = ByteBuffer.allocateDirect(bytes + bytes / 2);
            }
            return memory.duplicate().clear().limit(bytes);
        }
    }
}
