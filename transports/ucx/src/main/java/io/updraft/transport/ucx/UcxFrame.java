package io.updraft.transport.ucx;

import java.nio.ByteBuffer;

/**
 * The header before every frame, big-endian.
 *
 * <pre>
 *   0        2         3      4              8                16              24              32
 *   +--------+---------+------+--------------+----------------+---------------+---------------+---------
 *   | magic  | version | kind | bytes after  | channel        | sequence      | consumed      | ...
 *   +--------+---------+------+--------------+----------------+---------------+---------------+---------
 * </pre>
 *
 * <p>The channel is a random number that the receiver has chosen and sent to this peer only. The peers of a process share one
 * UCX worker, and no peer may send in the name of another. The sequence counts the frames of one direction. Consumed is the
 * number of data bytes of the other direction that the sender of this frame has processed so far; it is the credit.
 *
 * <p>After the header, HELLO has the sender's own number for the channel (8 bytes) and its window (8). DATA has a piece of a
 * stream of messages, each after its length (4 bytes, never split between frames). CREDIT and BYE have nothing more.
 */
final class UcxFrame {

    static final byte HELLO = 1;
    static final byte DATA = 2;
    static final byte CREDIT = 3;
    static final byte BYE = 4;

    static final int HEADER_BYTES = 32;
    static final int HELLO_BYTES = 16;

    /** Bytes of the length before each message. */
    static final int LENGTH_BYTES = 4;

    static final byte VERSION = 1;
    private static final short MAGIC = 0x5558;

    private static final int VERSION_AT = 2;
    static final int KIND_AT = 3;
    private static final int LENGTH_AT = 4;
    private static final int CHANNEL_AT = 8;
    private static final int SEQUENCE_AT = 16;
    private static final int CONSUMED_AT = 24;

    private UcxFrame() {}

    /** Completes a frame whose bytes after the header have been put already. The buffer is then ready to be sent. */
    static void seal(ByteBuffer frame, byte kind, long channel, long sequence, long consumed) {
        frame.flip();
        frame.putShort(0, MAGIC)
                .put(VERSION_AT, VERSION)
                .put(KIND_AT, kind)
                .putInt(LENGTH_AT, frame.limit() - HEADER_BYTES)
                .putLong(CHANNEL_AT, channel)
                .putLong(SEQUENCE_AT, sequence)
                .putLong(CONSUMED_AT, consumed);
    }

    /** {@return whether the bytes can be a complete frame, of any version} */
    static boolean isWhole(ByteBuffer frame) {
        return frame.limit() >= HEADER_BYTES
                && frame.getShort(0) == MAGIC
                && frame.getInt(LENGTH_AT) == frame.limit() - HEADER_BYTES;
    }

    static byte version(ByteBuffer frame) {
        return frame.get(VERSION_AT);
    }

    static byte kind(ByteBuffer frame) {
        return frame.get(KIND_AT);
    }

    static long channel(ByteBuffer frame) {
        return frame.getLong(CHANNEL_AT);
    }

    static long sequence(ByteBuffer frame) {
        return frame.getLong(SEQUENCE_AT);
    }

    static long consumed(ByteBuffer frame) {
        return frame.getLong(CONSUMED_AT);
    }
}
