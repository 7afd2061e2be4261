package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.tuple.EngineTuple;

/**
 * The way from one loop to another: the batch that is being filled and the ring it goes into. Belongs to the sending loop,
 * but for the consumer's end of the ring.
 */
final class Lane {

    /** Tuples or reports at which a batch is sent before the loop runs dry. */
    private static final int FULL = 512;

    private static final int RING = 64;

    final SpscRing<Batch> ring = new SpscRing<>(RING);

    private final EventLoop to;
    private Batch batch = new Batch();
    private int tupleCapacity;
    private int reportCapacity;

    /** Whether the ring was full when the batch was to be sent; then it waits here and grows. */
    private boolean parked;

    Lane(EventLoop to) {
        this.to = to;
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

    /** Sends what there is; returns whether something was sent. */
    boolean flush() {
        if (batch.isEmpty()) {
            return false;
        }
        Batch full = batch;
        parked = !ring.offer(full);
        if (parked) {
            return false;
        }
        tupleCapacity = capacityAfter(full.tupleCount());
        reportCapacity = capacityAfter(full.reportCount());
        batch = new Batch(tupleCapacity, reportCapacity);
        to.ring();
        return true;
    }

    /** The next batch will probably be as large as the last. */
    private static int capacityAfter(int count) {
        return count == 0 ? 0 : Math.min(FULL, Math.max(8, Integer.highestOneBit(count) << 1));
    }
}
