package io.updraft.kafka.reader;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;

/**
 * One assignment of a partition, from {@link KafkaReader#assign} to {@link KafkaReader#revoke}: what is in its queue dies with it, so
 * that nothing of an earlier assignment is ever taken for a later one.
 */
final class AssignedPartition {

    final TopicPartition id;

    /** Broker reader to caller. */
    final Queue<ReaderEvent> queue = new ConcurrentLinkedQueue<>();

    /** Bytes in the queue. */
    private final AtomicLong queued = new AtomicLong();

    /** Set by the caller, for good. */
    volatile boolean revoked;

    /** Set by the broker reader while it fetches nothing because the queue is full. */
    private volatile boolean full;

    /** Records between the position of the fetching and the end of the log; -1 if unknown. Set by the broker reader. */
    volatile long unfetched = -1;

    /** Everything before this was fetched, or is no record, as the end of a transaction; -1 if unknown. Set by the broker reader. */
    volatile long position = -1;

    /** How often the broker has answered a fetch since it was assigned, seen some tenths of a second later. Set by the broker reader. */
    volatile long answers;

    /** Where the fetching goes on. The broker reader that has the partition writes it; read by others for a rough lag only. */
    volatile long next;

    /** The caller's: which broker reader has it or gets it next, what was taken from the queue, and whether to leave the rest there. */
    BrokerReader owner;

    long taken;
    boolean paused;

    /** The caller's: since when the cluster says that there is no such partition, nanoseconds; 0 if it does not say so. */
    long missingSince;

    /** The caller's: whether that has been told. */
    boolean missing;

    AssignedPartition(TopicPartition id, long start) {
        this.id = id;
        this.next = start;
        this.taken = start;
    }

    /** The caller takes the next event, if there is one. Wakes the broker reader when that makes room. */
    ReaderEvent take(int queueBytes) {
        ReaderEvent event = queue.poll();
        if (event instanceof RecordBatch batch) {
            taken = batch.to();
            if (makesRoom(batch.size(), queueBytes)) {
                owner.wake();
            }
        } else if (event instanceof ReaderEvent.Reset reset) {
            taken = reset.to();
        }
        return event;
    }

    /** The caller has taken this many bytes: whether the broker reader waits for that. */
    boolean makesRoom(long bytes, int queueBytes) {
        return queued.addAndGet(-bytes) <= queueBytes / 2 && full;
    }

    /** The broker reader's: whether to fetch nothing from now on. */
    boolean becomesFull(int queueBytes) {
        if (full || queued.get() <= queueBytes) {
            return false;
        }
        full = true;
        return true;
    }

    /** The broker reader's, before each wait: whether to fetch again. */
    boolean hasRoomAgain(int queueBytes) {
        if (!full || queued.get() > queueBytes / 2) {
            return false;
        }
        full = false;
        return true;
    }

    void put(ReaderEvent event) {
        if (event instanceof RecordBatch batch) {
            holds(batch.size());
        }
        queue.add(event);
    }

    /** The broker reader's: so many bytes are about to be in the queue. */
    void holds(long bytes) {
        queued.addAndGet(bytes);
    }

    /** The caller's: everything before this was taken, or is no record; negative if it is not known where reading begins. */
    long passed() {
        // Before the offset that records have come to: those before this position are in the queue then, or were taken.
        long fetched = position;
        return taken == next ? Math.max(taken, fetched) : taken;
    }

    /** Whether nothing is fetched because the queue is full. */
    boolean isFull() {
        return full;
    }

    long lag() {
        long unfetchedNow = unfetched;
        return unfetchedNow < 0 ? -1 : unfetchedNow + Math.max(0, next - Math.max(taken, 0));
    }
}
