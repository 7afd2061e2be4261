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
 * The way in of one channel: frames are brought into the order of their sequence, and their bytes made messages again. Owner of
 * the transport only.
 */
final class Incoming {

    /** Bytes of data that a peer may send ahead of what was taken off our hands. */
    static final long WINDOW = 1 << 20;

    /** Frames that may wait for one that is late: more than a window of full ones. */
    private static final int MOST_EARLY = 4096;

    private final FrameBuffers buffers;
    private final int maxMessage;
    private final Deque<ByteBuffer> arrived = new ArrayDeque<>();
    private final Map<Long, ByteBuffer> early = new HashMap<>();
    private long nextSequence;
    private long consumed;
    private long granted;

    /** A message that began in an earlier frame; null when there is none. */
    private ByteBuffer partial;

    Incoming(FrameBuffers buffers, int maxMessage) {
        this.buffers = buffers;
        this.maxMessage = maxMessage;
    }

    /** Takes a frame, from within a callback of UCX. Returns whether it can be from an honest peer. */
    boolean arrive(ByteBuffer frame) {
        long sequence = Frame.sequence(frame);
        if (sequence != nextSequence) {
            return sequence > nextSequence && early.size() < MOST_EARLY && early.putIfAbsent(sequence, frame) == null;
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

    /** {@return the next frame in order, or null} */
    ByteBuffer poll() {
        return arrived.poll();
    }

    /**
     * Makes messages of a frame of data.
     *
     * @param goOn whether the receiver still wants any; asked before each message
     * @throws ProtocolException when a peer of ours would not have sent that
     */
    void read(ByteBuffer frame, BooleanSupplier goOn, Consumer<ByteBuffer> receiver) throws ProtocolException {
        int end = frame.limit();
        int at = Frame.HEADER_BYTES;
        while (at < end && goOn.getAsBoolean()) {
            at = partial == null ? begin(frame, at, end, receiver) : resume(frame, at, end, receiver);
        }
        consumed += end - Frame.HEADER_BYTES;
    }

    /** A message that is whole is shown where it lies. */
    private int begin(ByteBuffer frame, int at, int end, Consumer<ByteBuffer> receiver) throws ProtocolException {
        if (end - at < Frame.LENGTH_BYTES) {
            throw new ProtocolException("the peer sent a frame that ends within a length");
        }
        int length = frame.getInt(at);
        if (length < 1 || length > maxMessage) {
            throw new ProtocolException(
                    "the peer sent a message of " + length + " bytes: 1 to " + maxMessage + " are accepted here");
        }
        int from = at + Frame.LENGTH_BYTES;
        if (length > end - from) {
            partial = ByteBuffer.allocate(length);
            return resume(frame, from, end, receiver);
        }
        receiver.accept(frame.limit(from + length).position(from));
        frame.clear().order(ByteOrder.BIG_ENDIAN);
        return from + length;
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

    /** {@return bytes of data taken off our hands so far; the peer gets to know them} */
    long grant() {
        granted = consumed;
        return consumed;
    }

    /** {@return whether the peer should be told soon, lest it stop} */
    boolean owesCredit() {
        return consumed - granted > WINDOW / 4;
    }

    /** Forgets what is left. */
    void drop() {
        arrived.forEach(buffers::put);
        arrived.clear();
        early.values().forEach(buffers::put);
        early.clear();
        partial = null;
    }
}
