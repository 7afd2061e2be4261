package io.updraft.transport.ucx;

import java.nio.ByteBuffer;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpRequestParams;

/** A piece of registered memory that holds one outgoing frame. Belongs to the owner of the transport. */
final class Segment {

    final ByteBuffer bytes;
    final long address;
    final UcpRequestParams params;
    private final SegmentPool home;
    private UcpRequest request;

    Segment(SegmentPool home, ByteBuffer bytes, long address, UcpRequestParams params) {
        this.home = home;
        this.bytes = bytes;
        this.address = address;
        this.params = params;
    }

    int payload() {
        return bytes.position() - UcxFrame.HEADER_BYTES;
    }

    void sent(UcpRequest under) {
        request = under;
    }

    boolean isFree() {
        return request == null || request.isCompleted();
    }

    void release() {
        request = null;
        home.put(this);
    }
}
