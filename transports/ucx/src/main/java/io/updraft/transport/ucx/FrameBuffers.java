package io.updraft.transport.ucx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.openucx.jucx.UcxUtils;

/** Reused memory for received frames. Owner of the transport only. */
final class FrameBuffers {

    /** Most buffers that are kept. */
    private static final int MAX_POOLED = 128;

    private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();

    /** Copies the frame at an address of UCX; returns null when it is too long for a frame. */
    ByteBuffer copyOf(long address, long bytes) {
        if (bytes > Ucx.SEGMENT_BYTES) {
            return null;
        }
        ByteBuffer buffer = free.isEmpty() ? ByteBuffer.allocateDirect(Ucx.SEGMENT_BYTES) : free.pop();
        return buffer.clear().put(UcxUtils.getByteBufferView(address, bytes)).flip();
    }

    void put(ByteBuffer frame) {
        if (free.size() < MAX_POOLED) {
            free.push(frame);
        }
    }
}
