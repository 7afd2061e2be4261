package io.updraft.messaging;

import java.nio.ByteBuffer;
import org.apache.storm.messaging.TaskMessage;

/** Packs queued messages into frames. Owner of the transport only, except {@link #isSent}. */
final class MessagePacker {

    private final SendQueue queue;
    private final int frameBytes;
    private ByteBuffer own;
    /** The frame that is being packed or offered; empty when the session has taken it. */
    private ByteBuffer frame = ByteBuffer.allocate(0);

    private int messages;
    private volatile boolean sent = true;

    MessagePacker(SendQueue queue, int frameBytes) {
        this.queue = queue;
        this.frameBytes = frameBytes;
    }

    /**
     * Ensures that there is a frame to offer: the one that was not taken, or a new one. Returns false if no message is queued.
     */
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
        frame = bufferFor(first).clear().put(MessageFrames.TUPLES);
        messages = 0;
        for (TaskMessage next = first;
                next != null && MessageFrames.size(next) <= frame.remaining();
                next = queue.peek()) {
            MessageFrames.put(frame, next);
            queue.remove();
            messages++;
        }
        frame.flip();
        return true;
    }

    /** Returns a buffer. A message that is longer than the usual frame gets a buffer of its own, which is not kept. */
    private ByteBuffer bufferFor(TaskMessage first) {
        long needed = MessageFrames.KIND_BYTES + MessageFrames.size(first);
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

    int taken() {
        return messages;
    }

    /** Whether the session has taken all messages that were removed from the queue. From any thread. */
    boolean isSent() {
        return sent;
    }

    /** Discards the frame that was not taken, and the queue. Returns the number of discarded messages. */
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
