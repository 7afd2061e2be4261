package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.mesh.SpscRing;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connects an executor that runs on a thread of its own to its home loop: one ring each way. All input and output of the
 * executor passes through the home loop. That keeps the order, and other loops need not know where the executor runs.
 */
final class Link {

    private static final int TO_EXECUTOR = 2;
    private static final int FROM_EXECUTOR = 256;

    final SpscRing<Batch> toExecutor = new SpscRing<>(TO_EXECUTOR);
    final SpscRing<Batch> fromExecutor = new SpscRing<>(FROM_EXECUTOR);
    final Doorbell executorBell = new Doorbell();

    /** Whether the executor has given up its thread: it has sent its last batch, and the loop will take it back. */
    volatile boolean isReturning;

    /** Tuples in the ring to the executor, for views from outside. Counted a batch at a time. */
    final AtomicInteger tuplesToExecutor = new AtomicInteger();
}
