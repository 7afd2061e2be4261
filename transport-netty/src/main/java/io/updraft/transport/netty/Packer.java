package io.updraft.transport.netty;

import com.github.luben.zstd.ZstdException;
import io.updraft.transport.netty.Compression.CorruptException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;

/** Packs and unpacks messages of one transport, in memory that it keeps for that. Owner only. */
final class Packer {

    private final Compression compression;
    private final int maxMessage;
    private final Scratch packed = new Scratch();
    private final Scratch unpacked = new Scratch();
    private final Scratch direct = new Scratch();

    Packer(Compression compression, int maxMessage) {
        this.compression = compression;
        this.maxMessage = maxMessage;
    }

    /**
     * Packs a message; moves no position of it.
     *
     * @return what to send instead, valid until the next call, or null when the message is better sent as it is
     */
    ByteBuffer pack(ByteBuffer head, ByteBuffer body) {
        int length = head.remaining() + body.remaining();
        if (compression == Compression.NONE || length < Compression.WORTHWHILE) {
            return null;
        }
        ByteBuffer result = packed.ofSize(Compression.HEADER + compression.most(length));
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
     * Unpacks the body of a message.
     *
     * @return the message, valid until the next call
     * @throws CorruptException when the body is not what a peer of ours sends
     */
    ByteBuffer unpack(ByteBuffer body) throws CorruptException {
        if (body.remaining() <= Compression.HEADER) {
            throw new CorruptException("a compressed message without contents");
        }
        Compression by = Compression.byId(body.get());
        int length = body.getInt();
        if (length < 1 || length > maxMessage) {
            throw new CorruptException(
                    "a compressed message that claims to have " + length + " bytes, and the limit is " + maxMessage);
        }
        ByteBuffer message = unpacked.ofSize(length);
        int found = unpack(by, inDirectMemory(body), message);
        if (found != length) {
            throw new CorruptException("a compressed message of " + found + " bytes that claims " + length);
        }
        return message;
    }

    private static int unpack(Compression by, ByteBuffer body, ByteBuffer into) throws CorruptException {
        try {
            return by.unpack(body, into);
        } catch (LZ4Exception | ZstdException corrupt) {
            throw new CorruptException("a compressed message that cannot be unpacked: " + Reasons.root(corrupt));
        }
    }

    /** The native code reads direct memory only; TLS, for one, hands on arrays. */
    private ByteBuffer inDirectMemory(ByteBuffer bytes) {
        if (bytes.isDirect()) {
            return bytes;
        }
        return direct.ofSize(bytes.remaining()).put(bytes.duplicate()).flip();
    }

    /** Direct memory that is used again and again; grows to the longest that was needed. */
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
