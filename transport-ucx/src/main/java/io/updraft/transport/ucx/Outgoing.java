package io.updraft.transport.ucx;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.openucx.jucx.ucp.UcpEndpoint;

/**
 * The way out of one channel: messages are packed into segments, segments go when the peer's window allows it, and their memory
 * comes back when UCX has done with it. Owner of the transport only.
 *
 * <p>The window: the receiver says how many bytes of data it has taken off its hands in all; the sender is never further ahead
 * of that than the window.
 */
final class Outgoing {

    private static final int ROOM = Ucx.SEGMENT_BYTES - Frame.HEADER_BYTES;

    /** Segments of one channel that UCX may hold at once. */
    private static final int MOST_UNDER_WAY = 32;

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

    /** The number of bytes that the other direction has consumed goes with each frame. */
    Outgoing(Ucx ucx, int bufferBytes, LongSupplier consumed) {
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

    /** Takes a message, or not. */
    boolean offer(int length, ByteBuffer head, ByteBuffer body) {
        int bytes = Frame.LENGTH_BYTES + length;
        if (!hasRoom(bytes)) {
            refusedBytes = bytes;
            return false;
        }
        // A length is never cut in two: what is left of a segment then stays empty.
        if (open != null && open.bytes.remaining() < Frame.LENGTH_BYTES) {
            seal();
        }
        writable().putInt(length);
        write(head);
        write(body);
        return true;
    }

    private void write(ByteBuffer from) {
        while (from.hasRemaining()) {
            copy(from, writable());
        }
    }

    private boolean hasRoom(int bytes) {
        long held = unsent();
        return (held == 0 || held + bytes <= bufferBytes) && ucx.segments.has(bytes / (ROOM - Frame.LENGTH_BYTES) + 2);
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

    private static void copy(ByteBuffer from, ByteBuffer to) {
        int bytes = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), bytes);
        to.position(to.position() + bytes);
        from.position(from.position() + bytes);
    }

    private void seal() {
        waiting.add(open);
        waitingBytes += open.payload();
        open = null;
        flushing = false;
    }

    /** Asks that the segment which is being filled goes as soon as it may. */
    void flush() {
        flushing = open != null;
        pump();
    }

    /**
     * Sends what may go. A segment that is not full goes only when nothing is in its way: while something is, it goes on
     * filling, so that the memory held is in proportion to the bytes and a sender in a hurry makes batches.
     */
    void pump() {
        while (underWay.size() < MOST_UNDER_WAY) {
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
        send(segment, Frame.DATA);
    }

    private boolean isAllowed(int bytes) {
        return sentBytes + bytes - peerConsumed <= peerWindow;
    }

    /** Introduces this side to the peer. */
    void hello(long ownChannel, long window) {
        Segment segment = ucx.controls.take();
        segment.bytes.putLong(ownChannel).putLong(window);
        send(segment, Frame.HELLO);
    }

    /** Sends a frame that is nothing but a header. It needs no credit, and overtakes data that has none. */
    void control(byte kind) {
        send(ucx.controls.take(), kind);
    }

    private void send(Segment segment, byte kind) {
        Frame.seal(segment.bytes, kind, peerChannel, sequence++, consumed.getAsLong());
        underWay.add(segment);
        Ucx.send(endpoint, segment, kind == Frame.HELLO);
    }

    /** The peer says how far it has come. */
    void peerConsumed(long bytes) {
        peerConsumed = Math.max(peerConsumed, bytes);
    }

    /** {@return whether the peer claims what it cannot have} */
    boolean isImpossible(long bytes) {
        return bytes < 0 || bytes > sentBytes;
    }

    /** Takes back the memory of what UCX has done with. */
    int reclaim() {
        int freed = 0;
        while (!underWay.isEmpty() && underWay.peek().isFree()) {
            Segment segment = underWay.poll();
            if (segment.bytes.get(Frame.KIND_AT) == Frame.DATA) {
                underWayBytes -= segment.bytes.limit() - Frame.HEADER_BYTES;
            }
            segment.release();
            freed++;
        }
        return freed;
    }

    /** Forgets what has not been sent. */
    void drop() {
        if (open != null) {
            seal();
        }
        waiting.forEach(Segment::release);
        waiting.clear();
        waitingBytes = 0;
    }

    /** {@return whether an offer was refused that need not be any more; true once for each refusal} */
    boolean becameWritable() {
        if (refusedBytes == 0 || !hasRoom(refusedBytes)) {
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

    /** {@return whether UCX has done with something} */
    boolean canReclaim() {
        return !underWay.isEmpty() && underWay.peek().isFree();
    }

    /** {@return whether nothing waits and nothing is under way} */
    boolean isIdle() {
        return waiting.isEmpty() && underWay.isEmpty() && !flushing;
    }

    /** {@return whether UCX has done with all that it was given} */
    boolean isDone() {
        return underWay.isEmpty();
    }
}
