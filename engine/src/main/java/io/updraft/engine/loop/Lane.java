package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.tuple.EngineTuple;

/**
 * The way from one loop to another, or to another worker: the batch that is being filled and the ring it goes into. Belongs to
 * the sending loop, but for the consumer's end of the ring.
 */
final class Lane {

    /** Tuples or reports at which a batch is sent before the loop runs dry. */
    private static final int FULL = 512;

    private static final int RING = 64;

    final SpscRing<Batch> ring;

    private final End end;
    private Batch batch = new Batch();
    private int tupleCapacity;
    private int reportCapacity;

    /** Batches that may wait at the other end; the other end may change it. */
    private volatile int limit;

    /** Whether the ring was full when the batch was to be sent; then it waits here and grows. The other end reads it. */
    private volatile boolean parked;

    /** What lies at the other end. Called by the sending loop. */
    interface End {

        /** A batch was put into the ring. */
        void sent(SpscRing<Batch> ring);

        /** The ring was found full, or has room again after it was. */
        void parked(boolean now);
    }

    Lane(End end) {
        this(end, RING);
    }

    /**
     * Creates a lane.
     *
     * @param capacity batches that wait at the other end
     */
    Lane(End end, int capacity) {
        this.end = end;
        this.ring = new SpscRing<>(capacity);
        this.limit = ring.capacity();
    }

    /** Changes how many tuples may wait at the other end, a batch at the least. Called there. */
    void setRoom(int tuples) {
        int batches = Math.max(1, Math.min(ring.capacity(), tuples / FULL));
        if (limit != batches) {
            limit = batches;
        }
    }

    /** Whether the sender waits and half of what may wait has been taken. Called at the other end; a hint. */
    boolean hasRoomAgain() {
        return parked && ring.size() <= limit / 2;
    }

    void add(EngineTuple tuple, int task) {
        batch.add(tuple, task);
        if (batch.tupleCount() >= FULL) {
            flush();
        }
    }

    void addReport(int kind, int owner, long root, long value) {
        if (kind == Batch.ACK_ONLY_EDGE) {
            batch.addOnlyEdges(owner, root, value);
        } else {
            batch.addReport(kind, owner, root, value);
        }
        if (batch.reportCount() >= FULL) {
            flush();
        }
    }

    boolean isParked() {
        return parked;
    }

    /** Whether all that was sent has been taken at the other end. */
    boolean isClear() {
        return batch.isEmpty() && ring.isEmpty();
    }

    /** Sends what there is; returns whether something was sent. */
    boolean flush() {
        if (batch.isEmpty()) {
            return false;
        }
        Batch full = batch;
        boolean sent = ring.size() < limit && ring.offer(full);
        if (parked == sent) {
            parked = !sent;
            end.parked(parked);
        }
        if (!sent) {
            return false;
        }
        tupleCapacity = capacityAfter(full.tupleCount());
        reportCapacity = capacityAfter(full.reportCount());
        batch = new Batch(tupleCapacity, reportCapacity);
        end.sent(ring);
        return true;
    }

    /** The next batch will probably be as large as the last. */
    private static int capacityAfter(int count) {
        return count == 0 ? 0 : Math.min(FULL, Math.max(8, Integer.highestOneBit(count) << 1));
    }
}
