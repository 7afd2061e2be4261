package io.updraft.transport.ucx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.openucx.jucx.UcxUtils;

/** Memory for frames that have arrived, used again and again. Owner of the transport only. */
final class FrameBuffers {

    /** More than this many are not kept. */
    private static final int MOST_KEPT = 128;

    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    /** Copies what lies at an address of UCX's; null when it is too long to be a frame. */
    ByteBuffer copyOf(long address, long bytes) {
        if (bytes > Ucx.SEGMENT_BYTES) {
            return null;
        }
        ByteBuffer buffer = free.isEmpty() ? ByteBuffer.allocateDirect(Ucx.SEGMENT_BYTES) : free.pop();
        return buffer.clear().put(UcxUtils.getByteBufferView(address, bytes)).flip();
    }

    void put(ByteBuffer frame) {
        if (free.size() < MOST_KEPT) {
            free.push(frame);
        }
    }
}
