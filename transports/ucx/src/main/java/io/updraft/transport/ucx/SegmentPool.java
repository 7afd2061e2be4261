package io.updraft.transport.ucx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucs.UcsConstants.MEMORY_TYPE;

/**
 * Segments of one size, cut from slabs. A slab is registered once, as a whole, when it is created; its segments are reused. A
 * new slab is created when all segments are in use. The number of slabs is bounded by what the channels may hold.
 */
final class SegmentPool implements AutoCloseable {

    private final UcpContext context;
    private final int segmentBytes;
    private final int perSlab;
    private final long maxBytes;
    private final ArrayDeque<Segment> free = new ArrayDeque<>();
    private final List<UcpMemory> registrations = new ArrayList<>();

    /** Creates a pool that stops growing at {@code mostBytes}. */
    SegmentPool(UcpContext context, int segmentBytes, int perSlab, long mostBytes) {
        this.context = context;
        this.segmentBytes = segmentBytes;
        this.perSlab = perSlab;
        this.maxBytes = mostBytes;
    }

    /** {@return a segment with its position after the header, or null if the pool is exhausted} */
    Segment take() {
        if (free.isEmpty() && !grow()) {
            return null;
        }
        Segment segment = free.pop();
        segment.bytes.clear().position(UcxFrame.HEADER_BYTES);
        return segment;
    }

    boolean has(int segments) {
        while (free.size() < segments) {
            if (!grow()) {
                return false;
            }
        }
        return true;
    }

    /** {@return the memory of the pool, in use or not, bytes} */
    long bytes() {
        return (long) registrations.size() * segmentBytes * perSlab;
    }

    void put(Segment segment) {
        free.push(segment);
    }

    /** Releases the registrations; no segment may be in flight. */
    @Override
    public void close() {
        registrations.forEach(UcpMemory::deregister);
        registrations.clear();
        free.clear();
    }

    private boolean grow() {
        int bytes = segmentBytes * perSlab;
        if (bytes() + bytes > maxBytes) {
            return false;
        }
        ByteBuffer slab = ByteBuffer.allocateDirect(bytes);
        UcpMemory memory = context.registerMemory(slab);
        registrations.add(memory);
        // With the memory type, UCX need not look for a GPU at each send.
        UcpRequestParams params = new UcpRequestParams()
                .setMemoryType(MEMORY_TYPE.UCS_MEMORY_TYPE_HOST)
                .setMemoryHandle(memory);
        long address = UcxUtils.getAddress(slab);
        for (int at = bytes - segmentBytes; at >= 0; at -= segmentBytes) {
            free.push(new Segment(this, slab.slice(at, segmentBytes), address + at, params));
        }
        return true;
    }
}
