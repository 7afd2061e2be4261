package io.updraft.messaging;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.messaging.TaskMessage;
import org.jctools.queues.MpscChunkedArrayQueue;

/**
 * Messages that wait for one connection; bounded by their number and by their bytes. Any thread puts in, the owner of the
 * transport takes out.
 */
final class SendQueue {

    private static final int FIRST_CHUNK = 1_024;

    private final MpscChunkedArrayQueue<TaskMessage> queue;
    private final AtomicLong bytes = new AtomicLong();
    private final long mostBytes;

    SendQueue(int mostMessages, long mostBytes) {
        this.queue = new MpscChunkedArrayQueue<>(Math.min(FIRST_CHUNK, Math.max(2, mostMessages / 2)), mostMessages);
        this.mostBytes = mostBytes;
    }

    /** Takes a message unless it is full. The last one may exceed the bytes, so that the largest message has its turn. */
    boolean offer(TaskMessage message) {
        if (bytes.get() >= mostBytes) {
            return false;
        }
        // Counted before the owner can take it out, so that the number is never below zero.
        int length = message.message().length;
        bytes.addAndGet(length);
        if (queue.offer(message)) {
            return true;
        }
        bytes.addAndGet(-length);
        return false;
    }

    /** Owner only. Returns the next one without taking it out, or null. */
    TaskMessage peek() {
        return queue.peek();
    }

    /** Owner only. Takes out the next one, of which there is one. */
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
