package io.updraft.transport.netty;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Factory;

/**
 * Compresses messages one by one. A compressed body names the algorithm and the length of the message:
 *
 * <pre>
 *   byte 0       1 = LZ4 block, 2 = Zstandard frame
 *   bytes 1-4    bytes of the message, big-endian
 *   bytes 5-     the compressed message
 * </pre>
 *
 * The length is checked against the limit of a message before decompression, and decompression never writes beyond it. A
 * decompression bomb therefore costs no more than a regular message.
 */
enum MessageCompression {
    NONE(0) {
        @Override
        int most(int length) {
            return length;
        }

        @Override
        int pack(ByteBuffer from, ByteBuffer to) {
            throw new IllegalStateException("NONE does not compress");
        }

        @Override
        int unpack(ByteBuffer from, ByteBuffer to) {
            throw new IllegalStateException("NONE does not decompress");
        }
    },
    LZ4(1) {
        @Override
        int most(int length) {
            return LZ4Factory.fastestInstance().fastCompressor().maxCompressedLength(length);
        }

        @Override
        int pack(ByteBuffer from, ByteBuffer to) {
            return LZ4Factory.fastestInstance()
                    .fastCompressor()
                    .compress(from, from.position(), from.remaining(), to, to.position(), to.remaining());
        }

        @Override
        int unpack(ByteBuffer from, ByteBuffer to) {
            return LZ4Factory.fastestInstance()
                    .safeDecompressor()
                    .decompress(from, from.position(), from.remaining(), to, to.position(), to.remaining());
        }
    },
    ZSTD(2) {
        @Override
        int most(int length) {
            return Math.toIntExact(Zstd.compressBound(length));
        }

        @Override
        int pack(ByteBuffer from, ByteBuffer to) {
            return Math.toIntExact(check(Zstd.compressDirectByteBuffer(
                    to, to.position(), to.remaining(), from, from.position(), from.remaining(), ZSTD_LEVEL)));
        }

        @Override
        int unpack(ByteBuffer from, ByteBuffer to) {
            return Math.toIntExact(check(Zstd.decompressDirectByteBuffer(
                    to, to.position(), to.remaining(), from, from.position(), from.remaining())));
        }
    };

    /** Length of the header of a compressed body, bytes. */
    static final int HEADER = 1 + Integer.BYTES;

    /** The fastest level that is not negative, because a worker's network is fast too. */
    private static final int ZSTD_LEVEL = 1;

    /** Messages that are shorter are not compressed, bytes. */
    static final int WORTHWHILE = 256;

    private final int id;

    MessageCompression(int id) {
        this.id = id;
    }

    /** {@return the most bytes that a message of this length can have after compression} */
    abstract int most(int length);

    /** Compresses from position to limit, both buffers in direct memory; moves no position. */
    abstract int pack(ByteBuffer from, ByteBuffer to);

    /** Decompresses from position to limit, both buffers in direct memory; moves no position. */
    abstract int unpack(ByteBuffer from, ByteBuffer to);

    byte id() {
        return (byte) id;
    }

    static MessageCompression byId(byte id) throws CorruptException {
        return switch (id) {
            case 1 -> LZ4;
            case 2 -> ZSTD;
            default -> throw new CorruptException("a message with compression " + id + ", which is unknown");
        };
    }

    private static long check(long result) {
        if (Zstd.isError(result)) {
            throw new ZstdException(result);
        }
        return result;
    }

    /** Thrown for a body that no Updraft peer sends. The message continues the sentence "the peer sends". */
    static final class CorruptException extends Exception {

        private static final long serialVersionUID = 1L;

        CorruptException(String message) {
            super(message);
        }
    }
}
