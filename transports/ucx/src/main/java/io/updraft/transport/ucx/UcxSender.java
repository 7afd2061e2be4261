package io.updraft.transport.ucx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.openucx.jucx.ucp.UcpEndpoint;

/**
 * The sending direction of one channel. Messages are packed into segments. Segments are sent when the peer's window allows it,
 * and their memory is reused when UCX has finished with it. Owner of the transport only.
 *
 * <p>The window: the receiver reports the total number of data bytes that it has processed. The sender is never further ahead
 * of that than the window.
 */
final class UcxSender {

    private static final int PAYLOAD_BYTES = Ucx.SEGMENT_BYTES - UcxFrame.HEADER_BYTES;

    /** Most segments of one channel that UCX may hold at once. */
    private static final int MAX_UNDER_WAY = 32;

    private final Ucx ucx;
    private final int bufferBytes;
    private final LongSupplier consumed;
    private final Deque<Segment> waiting = new ArrayDeque<>();
    private final Deque<Segment> underWay = new ArrayDeque<>();
    private Segment open;
    private boolean flushing;
    private long waitingBytes;
    private long underWayBytes;
    private int refusedBytes;

    private UcpEndpoint endpoint;
    private long peerChannel;
    private long peerWindow;
    private long sequence;
    private long sentBytes;
    private long peerConsumed;

    /** Creates a direction; {@code consumed} supplies the consumed bytes of the other direction, sent with each frame. */
    UcxSender(Ucx ucx, int bufferBytes, LongSupplier consumed) {
        this.ucx = ucx;
        this.bufferBytes = bufferBytes;
        this.consumed = consumed;
    }

    void endpoint(UcpEndpoint to) {
        endpoint = to;
    }

    void peer(long channel, long window) {
        peerChannel = channel;
        peerWindow = window;
    }

    boolean offer(int length, ByteBuffer head, ByteBuffer body) {
        int bytes = UcxFrame.LENGTH_BYTES + length;
        if (!hasCapacity(bytes)) {
            refusedBytes = bytes;
            return false;
        }
        // A length is never split: the rest of a segment then stays empty.
        if (open != null && open.bytes.remaining() < UcxFrame.LENGTH_BYTES) {
            seal();
        }
        writable().putInt(length);
        write(head);
        write(body);
        return true;
    }

    private void write(ByteBuffer source) {
        while (source.hasRemaining()) {
            copy(source, writable());
        }
    }

    private boolean hasCapacity(int bytes) {
        long held = unsent();
        return (held == 0 || held + bytes <= bufferBytes)
                && ucx.segments.has(bytes / (PAYLOAD_BYTES - UcxFrame.LENGTH_BYTES) + 2);
    }

    private ByteBuffer writable() {
        if (open != null && !open.bytes.hasRemaining()) {
            seal();
        }
        if (open == null) {
            open = ucx.segments.take();
        }
        return open.bytes;
    }

    private static void copy(ByteBuffer source, ByteBuffer target) {
        int bytes = Math.min(source.remaining(), target.remaining());
        target.put(target.position(), source, source.position(), bytes);
        target.position(target.position() + bytes);
        source.position(source.position() + bytes);
    }

    private void seal() {
        waiting.add(open);
        waitingBytes += open.payload();
        open = null;
        flushing = false;
    }

    /** Requests that the segment being filled is sent as soon as possible. */
    void flush() {
        flushing = open != null;
        pump();
    }

    /**
     * Sends the segments that may be sent. A segment that is not full is sent only when nothing is before it. Otherwise it is
     * filled further, so the memory stays in proportion to the bytes, and a fast sender makes batches.
     */
    void pump() {
        while (underWay.size() < MAX_UNDER_WAY) {
            if (waiting.isEmpty() && flushing && isAllowed(open.payload())) {
                seal();
            }
            if (waiting.isEmpty() || !isAllowed(waiting.peek().payload())) {
                return;
            }
            sendData(waiting.poll());
        }
    }

    private void sendData(Segment segment) {
        int bytes = segment.payload();
        waitingBytes -= bytes;
        underWayBytes += bytes;
        sentBytes += bytes;
        send(segment, UcxFrame.DATA);
    }

    private boolean isAllowed(int bytes) {
        return sentBytes + bytes - peerConsumed <= peerWindow;
    }

    void hello(long ownChannel, long window) {
        Segment segment = ucx.controls.take();
        segment.bytes.putLong(ownChannel).putLong(window);
        send(segment, UcxFrame.HELLO);
    }

    /** Sends a frame that is only a header. It needs no credit, and overtakes data that waits for credit. */
    void control(byte kind) {
        send(ucx.controls.take(), kind);
    }

    private void send(Segment segment, byte kind) {
        UcxFrame.seal(segment.bytes, kind, peerChannel, sequence++, consumed.getAsLong());
        underWay.add(segment);
        Ucx.send(endpoint, segment, kind == UcxFrame.HELLO);
    }

    /** Notes the number of bytes that the peer has consumed. Returns false if the number is impossible. */
    boolean peerConsumed(long bytes) {
        peerConsumed = Math.max(peerConsumed, bytes);
        return bytes >= 0 && bytes <= sentBytes;
    }

    /** Takes back the memory of segments with which UCX has finished; returns their number. */
    int reclaim() {
        int freed = 0;
        while (!underWay.isEmpty() && underWay.peek().isFree()) {
            Segment segment = underWay.poll();
            if (segment.bytes.get(UcxFrame.KIND_AT) == UcxFrame.DATA) {
                underWayBytes -= segment.bytes.limit() - UcxFrame.HEADER_BYTES;
            }
            segment.release();
            freed++;
        }
        return freed;
    }

    void drop() {
        if (open != null) {
            seal();
        }
        waiting.forEach(Segment::release);
        waiting.clear();
        waitingBytes = 0;
    }

    /** {@return whether a message that was refused would fit now; true once for each refusal} */
    boolean becameWritable() {
        if (refusedBytes == 0 || !hasCapacity(refusedBytes)) {
            return false;
        }
        refusedBytes = 0;
        return true;
    }

    boolean isRefusing() {
        return refusedBytes > 0;
    }

    long unsent() {
        return waitingBytes + underWayBytes + (open == null ? 0 : open.payload());
    }

    boolean canReclaim() {
        return !underWay.isEmpty() && underWay.peek().isFree();
    }

    boolean isIdle() {
        return waiting.isEmpty() && underWay.isEmpty() && !flushing;
    }

    boolean isDone() {
        return underWay.isEmpty();
    }
}
