package io.updraft.kafka.reader;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;

/**
 * One assignment of a partition, from {@link KafkaReader#assign} to {@link KafkaReader#revoke}. Its queue is dropped with the
 * assignment, so an event of an earlier assignment is never taken for one of a later assignment.
 */
final class AssignedPartition {

    final TopicPartition id;

    /** What chunks call the partition. */
    final String name;

    /** From the broker reader to the caller. */
    final Queue<ReaderEvent> queue = new ConcurrentLinkedQueue<>();

    private final AtomicLong queued = new AtomicLong();

    /** Set by the caller, never reset. */
    volatile boolean revoked;

    // Set by the broker reader.
    /** Whether fetching has stopped because the queue is full. */
    private volatile boolean full;
    /** Offsets between the fetch position and the end of the log; -1 if unknown. */
    volatile long unfetched = -1;
    /** Everything before this offset was fetched, or is not a record (such as a transaction marker); -1 if unknown. */
    volatile long position = -1;
    /** The fetches that the broker has answered since the assignment, updated every few tenths of a second. */
    volatile long answers;
    /** The next offset to fetch. Others than the broker reader that has the partition use it for an approximate lag only. */
    volatile long next;

    // Set by the caller.
    /** The broker reader that has the partition or gets it next. */
    BrokerReader owner;
    /** The offset up to which events were taken. */
    long taken;

    boolean paused;
    /** Since when the cluster reports that the partition does not exist, nanoseconds; 0 if it exists. */
    long missingSince;
    /** Whether the missing partition was reported. */
    boolean missing;

    AssignedPartition(TopicPartition id, String name, long start) {
        this.id = id;
        this.name = name;
        this.next = start;
        this.taken = start;
    }

    /**
     * Takes the next event; null if there is none. Wakes the broker reader if the queue has capacity again. Called by the caller.
     */
    ReaderEvent take(int queueBytes) {
        ReaderEvent event = queue.poll();
        if (event instanceof KafkaChunk chunk) {
            taken = chunk.to();
            if (removeQueued(chunk.size(), queueBytes)) {
                owner.wake();
            }
        } else if (event instanceof ReaderEvent.Reset reset) {
            taken = reset.to();
        }
        return event;
    }

    /** Registers bytes that the caller has taken. Returns whether the broker reader waits for this capacity. */
    boolean removeQueued(long bytes, int queueBytes) {
        return queued.addAndGet(-bytes) <= queueBytes / 2 && full;
    }

    /** Registers bytes that are about to be queued. Called by the broker reader. */
    void addQueued(long bytes) {
        queued.addAndGet(bytes);
    }

    /** Marks the queue as full if it is. Returns whether fetching must stop. Called by the broker reader. */
    boolean becomesFull(int queueBytes) {
        if (full || queued.get() <= queueBytes) {
            return false;
        }
        full = true;
        return true;
    }

    /**
     * Clears the full mark if the queue has capacity again. Returns whether fetching must resume. Called by the broker reader
     * before each poll.
     */
    boolean becomesDrained(int queueBytes) {
        if (!full || queued.get() > queueBytes / 2) {
            return false;
        }
        full = false;
        return true;
    }

    void put(ReaderEvent event) {
        if (event instanceof KafkaChunk chunk) {
            addQueued(chunk.size());
        }
        queue.add(event);
    }

    /**
     * Returns the offset before which everything was taken or is not a record; negative if the start of reading is not known.
     * Called by the caller.
     */
    long readUpTo() {
        // Read 'position' before 'next': records before it are then in the queue, or were taken.
        long fetched = position;
        return taken == next ? Math.max(taken, fetched) : taken;
    }

    boolean isFull() {
        return full;
    }

    long lag() {
        long unfetchedNow = unfetched;
        return unfetchedNow < 0 ? -1 : unfetchedNow + Math.max(0, next - Math.max(taken, 0));
    }
}
