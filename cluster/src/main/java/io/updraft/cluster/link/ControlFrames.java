package io.updraft.cluster.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/**
 * The frames of a session that hold no batch. Their first byte differs from every version of the batch layout.
 *
 * <pre>
 *   LOST   +------+                      the sender lost a connection: tuples of the receiver's trees may have been on it
 *          | 0xF0 |
 *          +------+
 *   LOAD   +------+----------------+     the load of the sender's engine
 *          | 0xF1 | bits, 8 a byte |
 *          +------+----------------+
 * </pre>
 */
final class ControlFrames {
    private static final int LOST = 0xf0;
    private static final int LOAD = 0xf1;

    private ControlFrames() {}

    static ByteBuffer lost() {
        return ByteBuffer.allocateDirect(1).put((byte) LOST).flip();
    }

    static ByteBuffer load(BitSet load) {
        byte[] bits = load.toByteArray();
        return ByteBuffer.allocateDirect(1 + bits.length)
                .put((byte) LOAD)
                .put(bits)
                .flip();
    }

    static boolean isLost(ByteBuffer frame) {
        return first(frame) == LOST && frame.remaining() == 1;
    }

    static boolean isLoad(ByteBuffer frame) {
        return first(frame) == LOAD;
    }

    static BitSet load(ByteBuffer frame) {
        ByteBuffer bits = frame.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        bits.get();
        return BitSet.valueOf(bits);
    }

    private static int first(ByteBuffer frame) {
        return frame.get(frame.position()) & 0xff;
    }
}
