package io.updraft.engine.executor;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.mesh.SpscRing;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connects an executor that runs on a thread of its own to its home loop: one ring each way. All input and output of the
 * executor passes through the home loop. That keeps the order, and other loops need not know where the executor runs.
 */
public final class DetachedLink {

    private static final int TO_EXECUTOR = 2;
    private static final int FROM_EXECUTOR = 256;

    private final SpscRing<Batch> toExecutor = new SpscRing<>(TO_EXECUTOR);
    private final SpscRing<Batch> fromExecutor = new SpscRing<>(FROM_EXECUTOR);
    private final Doorbell executorBell = new Doorbell();

    /** Whether the executor has given up its thread: it has sent its last batch, and the loop will take it back. */
    private volatile boolean returning;

    /** Tuples in the ring to the executor, for views from outside. Counted a batch at a time. */
    private final AtomicInteger tuplesToExecutor = new AtomicInteger();

    // ---------------------------------------------------------------------------------------------- the loop's side

    public boolean hasRoomForInput() {
        return toExecutor.size() < toExecutor.capacity();
    }

    /** Passes a batch to the executor. Call this only when there is room. */
    public void offerInput(Batch batch) {
        tuplesToExecutor.addAndGet(batch.tupleCount());
        toExecutor.offer(batch);
        executorBell.ring();
    }

    /** Takes the next batch of the executor's output, or null. */
    public Batch pollOutput() {
        return fromExecutor.poll();
    }

    public boolean hasOutput() {
        return !fromExecutor.isEmpty();
    }

    /** Returns whether the executor has sent its last batch. */
    public boolean isReturning() {
        return returning;
    }

    /** Takes back all input that the executor has not taken, after its last batch. */
    public Batch takeBack() {
        Batch left = new Batch();
        Batch batch;
        while ((batch = pollInput()) != null) {
            left.addAll(batch);
        }
        returning = false;
        return left;
    }

    // ------------------------------------------------------------------------------------------- the executor's side

    /** Takes the next batch of input, or null. */
    public Batch pollInput() {
        Batch batch = toExecutor.poll();
        if (batch != null) {
            tuplesToExecutor.addAndGet(-batch.tupleCount());
        }
        return batch;
    }

    /** Passes a batch to the loop. Returns false when there is no room. */
    boolean offerOutput(Batch batch) {
        return fromExecutor.offer(batch);
    }

    /** Passes the last batch to the loop. Returns false when there is no room. */
    public boolean offerLast() {
        Batch last = new Batch();
        last.markLast();
        // Set before the batch is in the ring: the loop resets the flag when it takes the batch.
        returning = true;
        boolean sent = fromExecutor.offer(last);
        if (!sent) {
            returning = false;
        }
        return sent;
    }

    /** Sleeps until there is input, at most for some nanoseconds. */
    public void awaitInput(long nanos) {
        executorBell.sleepUnless(() -> !toExecutor.isEmpty(), nanos);
    }

    // -------------------------------------------------------------------------------------------------- any thread

    /** Wakes the thread of the executor. */
    void ring() {
        executorBell.ring();
    }

    /** Returns whether nothing is on its way. */
    public boolean isEmpty() {
        return toExecutor.isEmpty() && fromExecutor.isEmpty();
    }

    /** Returns the number of tuples on their way to the executor. */
    int tuplesToExecutor() {
        return tuplesToExecutor.get();
    }
}
