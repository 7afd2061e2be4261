package io.updraft.engine.run;

import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;

/**
 * Connects one loop to another loop or worker: the batch that is being filled and the ring that receives it. Belongs to the
 * sending loop, except the consumer's end of the ring.
 */
final class OutboundLane {

    /** Tuples or reports at which a batch is sent before the end of the round. */
    private static final int FULL = 512;

    private static final int RING = 64;

    private final SpscRing<Batch> ring;
    private final LaneReceiver end;
    private Batch batch = new Batch();
    private int tupleCapacity;
    private int reportCapacity;

    /** Batches that may wait at the other end. Changed by the other end. */
    private volatile int limit;

    /** Whether the ring was full at the last flush. The batch then stays here and grows. Read by the other end. */
    private volatile boolean parked;

    /** The other end of the lane. Called by the sending loop. */
    public interface LaneReceiver {

        /** Reports that a batch was put into the ring. */
        void sent(SpscRing<Batch> ring);

        /** Reports that the ring is full, or has room again. */
        default void parked(boolean now) {}
    }

    public OutboundLane(LaneReceiver end) {
        this(end, RING);
    }

    /** Creates a lane for at most a number of batches. */
    OutboundLane(LaneReceiver end, int capacity) {
        this.end = end;
        this.ring = new SpscRing<>(capacity);
        this.limit = ring.capacity();
    }

    /** Changes how many tuples may wait at the other end, at least one batch. Called by the other end. */
    void setLimit(int tuples) {
        int batches = Math.max(1, Math.min(ring.capacity(), tuples / FULL));
        if (limit != batches) {
            limit = batches;
        }
    }

    /**
     * Returns whether the sender waits for room and at most half of the limit is in the ring. Called by the other end; a hint.
     */
    boolean hasCapacityAgain() {
        return parked && ring.size() <= limit / 2;
    }

    public SpscRing<Batch> ring() {
        return ring;
    }

    public void add(EngineTuple tuple, int task) {
        batch.add(tuple, task);
        if (batch.tupleCount() >= FULL) {
            flush();
        }
    }

    public void addReport(int kind, int owner, long root, long value) {
        if (kind == Batch.ACK_ONLY_EDGE) {
            batch.addOnlyEdges(owner, root, value);
        } else {
            batch.addReport(kind, owner, root, value);
        }
        if (batch.reportCount() >= FULL) {
            flush();
        }
    }

    public boolean isParked() {
        return parked;
    }

    public boolean isClear() {
        return batch.isEmpty() && ring.isEmpty();
    }

    /** Sends the current batch, if there is room. Returns whether a batch was sent. */
    public boolean flush() {
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

    /** Returns the initial capacity of the next batch, which is probably as large as the last. */
    private static int capacityAfter(int count) {
        return count == 0 ? 0 : Math.min(FULL, Math.max(8, Integer.highestOneBit(count) << 1));
    }
}
