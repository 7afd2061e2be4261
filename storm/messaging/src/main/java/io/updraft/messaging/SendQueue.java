package io.updraft.messaging;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.messaging.TaskMessage;
import org.jctools.queues.MpscChunkedArrayQueue;

/**
 * The messages that wait for one connection, bounded by number and by bytes. Any thread adds; the owner of the transport
 * removes.
 */
final class SendQueue {

    private static final int FIRST_CHUNK = 1_024;

    private final MpscChunkedArrayQueue<TaskMessage> queue;
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytes;

    SendQueue(int mostMessages, long mostBytes) {
        this.queue = new MpscChunkedArrayQueue<>(Math.min(FIRST_CHUNK, Math.max(2, mostMessages / 2)), mostMessages);
        this.maxBytes = mostBytes;
    }

    /**
     * Adds a message unless the queue is full. The last message may exceed the limit of bytes, so a message of any size fits.
     */
    boolean offer(TaskMessage message) {
        if (bytes.get() >= maxBytes) {
            return false;
        }
        // Counted before the owner can remove the message, so that the count never drops below zero.
        int length = message.message().length;
        bytes.addAndGet(length);
        if (queue.offer(message)) {
            return true;
        }
        bytes.addAndGet(-length);
        return false;
    }

    /** Owner only. Returns the next message without removing it, or null. */
    TaskMessage peek() {
        return queue.peek();
    }

    /** Owner only. Removes the next message, which must exist. */
    void remove() {
        TaskMessage message = queue.poll();
        bytes.addAndGet(-message.message().length);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }
}
