package io.updraft.messaging;

import java.nio.ByteBuffer;
import org.apache.storm.messaging.TaskMessage;

/** Packs what waits in a queue into frames. Owner of the transport only, but for {@link #isSent}. */
final class Packer {

    private final SendQueue queue;
    private final int frameBytes;
    private ByteBuffer own;
    /** The frame that is being packed or offered; empty when it was taken. */
    private ByteBuffer frame = ByteBuffer.allocate(0);

    private int messages;
    private volatile boolean sent = true;

    Packer(SendQueue queue, int frameBytes) {
        this.queue = queue;
        this.frameBytes = frameBytes;
    }

    /** Sees to it that there is a frame to offer: the one that was not taken, or a new one. Returns false if there is none. */
    boolean pack() {
        if (frame.hasRemaining()) {
            return true;
        }
        TaskMessage first = queue.peek();
        if (first == null) {
            sent = true;
            return false;
        }
        sent = false;
        frame = bufferFor(first).clear().put(Frames.TUPLES);
        messages = 0;
        for (TaskMessage next = first; next != null && Frames.size(next) <= frame.remaining(); next = queue.peek()) {
            Frames.put(frame, next);
            queue.remove();
            messages++;
        }
        frame.flip();
        return true;
    }

    /** A message longer than a frame usually is gets a buffer of its own, which is not kept. */
    private ByteBuffer bufferFor(TaskMessage first) {
        long needed = Frames.KIND_BYTES + Frames.size(first);
        if (needed > frameBytes) {
            return ByteBuffer.allocate(Math.toIntExact(needed));
        }
        if (own == null) {
            own = ByteBuffer.allocateDirect(frameBytes);
        }
        return own;
    }

    ByteBuffer frame() {
        return frame;
    }

    /** Returns how many messages the frame has. */
    int taken() {
        return messages;
    }

    /** Whether all that was taken out of the queue was taken by the session. From any thread. */
    boolean isSent() {
        return sent;
    }

    /** Throws away what was not taken, and what waits. Returns how many messages that were. */
    long discard() {
        long discarded = frame.hasRemaining() ? messages : 0;
        frame = ByteBuffer.allocate(0);
        for (; queue.peek() != null; discarded++) {
            queue.remove();
        }
        sent = true;
        return discarded;
    }
}
