package io.updraft.transport.ucx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The receiving direction of one channel: puts frames into the order of their sequence, and reassembles messages. Owner of the
 * transport only.
 */
final class UcxReceiver {

    /** Data bytes that a peer may send beyond those that were processed. */
    static final long WINDOW = 1 << 20;

    /** Most frames that may wait for a late frame: more than a window of full frames. */
    private static final int MAX_EARLY = 4096;

    private final FrameBuffers buffers;
    private final int maxMessage;
    private final Deque<ByteBuffer> arrived = new ArrayDeque<>();
    private final Map<Long, ByteBuffer> early = new HashMap<>();
    private long nextSequence;
    private long consumed;
    private long granted;

    /** A message that started in an earlier frame, or null. */
    private ByteBuffer partial;

    UcxReceiver(FrameBuffers buffers, int maxMessage) {
        this.buffers = buffers;
        this.maxMessage = maxMessage;
    }

    /** Takes a frame, from within a callback of UCX. Returns false if a correct peer cannot have sent it. */
    boolean arrive(ByteBuffer frame) {
        long sequence = UcxFrame.sequence(frame);
        if (sequence != nextSequence) {
            return sequence > nextSequence && early.size() < MAX_EARLY && early.putIfAbsent(sequence, frame) == null;
        }
        append(frame);
        while (!early.isEmpty()) {
            ByteBuffer late = early.remove(nextSequence);
            if (late == null) {
                break;
            }
            append(late);
        }
        return true;
    }

    private void append(ByteBuffer frame) {
        arrived.add(frame);
        nextSequence++;
    }

    ByteBuffer poll() {
        return arrived.poll();
    }

    /**
     * Reassembles the messages of a DATA frame.
     *
     * @param goOn whether the receiver takes more messages; called before each message
     * @throws UcxProtocolException when a correct peer cannot have sent the frame
     */
    void read(ByteBuffer frame, BooleanSupplier goOn, Consumer<ByteBuffer> receiver) throws UcxProtocolException {
        int end = frame.limit();
        int at = UcxFrame.HEADER_BYTES;
        while (at < end && goOn.getAsBoolean()) {
            at = partial == null ? begin(frame, at, end, receiver) : resume(frame, at, end, receiver);
        }
        consumed += end - UcxFrame.HEADER_BYTES;
    }

    /** Starts a message. A complete message is delivered in place. */
    private int begin(ByteBuffer frame, int at, int end, Consumer<ByteBuffer> receiver) throws UcxProtocolException {
        if (end - at < UcxFrame.LENGTH_BYTES) {
            throw new UcxProtocolException("the peer sent a frame that ends within a length");
        }
        int length = frame.getInt(at);
        if (length < 1 || length > maxMessage) {
            throw new UcxProtocolException(
                    "the peer sent a message of " + length + " bytes; this side accepts 1 to " + maxMessage + " bytes");
        }
        int start = at + UcxFrame.LENGTH_BYTES;
        if (length > end - start) {
            partial = ByteBuffer.allocate(length);
            return resume(frame, start, end, receiver);
        }
        receiver.accept(frame.limit(start + length).position(start));
        frame.clear().order(ByteOrder.BIG_ENDIAN);
        return start + length;
    }

    private int resume(ByteBuffer frame, int at, int end, Consumer<ByteBuffer> receiver) {
        int bytes = Math.min(end - at, partial.remaining());
        partial.put(partial.position(), frame, at, bytes).position(partial.position() + bytes);
        if (!partial.hasRemaining()) {
            ByteBuffer whole = partial.flip();
            partial = null;
            receiver.accept(whole);
        }
        return at + bytes;
    }

    /** {@return the number of data bytes processed so far, which the caller sends to the peer} */
    long grant() {
        granted = consumed;
        return consumed;
    }

    /** {@return whether the peer must get credit soon, so that it does not stop} */
    boolean owesCredit() {
        return consumed - granted > WINDOW / 4;
    }

    void drop() {
        arrived.forEach(buffers::put);
        arrived.clear();
        early.values().forEach(buffers::put);
        early.clear();
        partial = null;
    }
}
