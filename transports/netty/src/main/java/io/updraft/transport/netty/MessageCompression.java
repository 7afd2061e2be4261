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
    // In the order of the ids.
    NONE,
    LZ4,
    ZSTD;

    /** Length of the header of a compressed body, bytes. */
    static final int HEADER = 1 + Integer.BYTES;

    /** The fastest level that is not negative, because a worker's network is fast too. */
    private static final int ZSTD_LEVEL = 1;

    /** Messages that are shorter are not compressed, bytes. */
    static final int WORTHWHILE = 256;

    /** {@return the most bytes that a message of this length can have after compression} */
    int most(int length) {
        return switch (this) {
            case NONE -> length;
            case LZ4 -> LZ4Factory.fastestInstance().fastCompressor().maxCompressedLength(length);
            case ZSTD -> Math.toIntExact(Zstd.compressBound(length));
        };
    }

    /** Compresses from position to limit, both buffers in direct memory; moves no position. */
    int pack(ByteBuffer source, ByteBuffer target) {
        return switch (this) {
            case NONE -> throw new IllegalStateException("NONE does not compress");
            case LZ4 ->
                LZ4Factory.fastestInstance()
                        .fastCompressor()
                        .compress(
                                source,
                                source.position(),
                                source.remaining(),
                                target,
                                target.position(),
                                target.remaining());
            case ZSTD ->
                check(Zstd.compressDirectByteBuffer(
                        target,
                        target.position(),
                        target.remaining(),
                        source,
                        source.position(),
                        source.remaining(),
                        ZSTD_LEVEL));
        };
    }

    /** Decompresses from position to limit, both buffers in direct memory; moves no position. */
    int unpack(ByteBuffer source, ByteBuffer target) {
        return switch (this) {
            case NONE -> throw new IllegalStateException("NONE does not decompress");
            case LZ4 ->
                LZ4Factory.fastestInstance()
                        .safeDecompressor()
                        .decompress(
                                source,
                                source.position(),
                                source.remaining(),
                                target,
                                target.position(),
                                target.remaining());
            case ZSTD ->
                check(Zstd.decompressDirectByteBuffer(
                        target, target.position(), target.remaining(), source, source.position(), source.remaining()));
        };
    }

    byte id() {
        return (byte) ordinal();
    }

    static MessageCompression byId(byte id) throws CorruptException {
        return switch (id) {
            case 1 -> LZ4;
            case 2 -> ZSTD;
            default -> throw new CorruptException("a message with compression " + id + ", which is unknown");
        };
    }

    private static int check(long result) {
        if (Zstd.isError(result)) {
            throw new ZstdException(result);
        }
        return Math.toIntExact(result);
    }

    /** Thrown for a body that no Updraft peer sends. The message continues the sentence "the peer sends". */
    static final class CorruptException extends Exception {

        private static final long serialVersionUID = 1L;

        CorruptException(String message) {
            super(message);
        }
    }
}
