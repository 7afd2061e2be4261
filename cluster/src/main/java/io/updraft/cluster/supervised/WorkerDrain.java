package io.updraft.cluster.supervised;

import io.updraft.cluster.worker.WorkerEngine;
import java.util.concurrent.TimeUnit;

/**
 * Waits for tuples in flight before a worker ends. The wait ends when nothing is in flight, when the time is up, or when no
 * count has changed for a while, for example because a bolt holds tuples back.
 */
final class WorkerDrain {
    private static final long STEP_MILLIS = 20;
    private static final long STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final WorkerEngine engine;
    private long moved = -1;
    private long movedAt;

    WorkerDrain(WorkerEngine engine) {
        this.engine = engine;
    }

    /** Waits until the drain has ended; the spouts must have been stopped. {@code millis} is the longest wait. */
    void await(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (System.nanoTime() - deadline < 0 && !isDone() && isMoving()) {
                Thread.sleep(STEP_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isDone() throws InterruptedException {
        return engine.traffic().quiet() && engine.isIdle();
    }

    private boolean isMoving() {
        long now = System.nanoTime();
        long done = engine.snapshot().components().stream()
                .mapToLong(component -> component.executed() + component.acked() + component.failed())
                .sum();
        if (done != moved) {
            moved = done;
            movedAt = now;
        }
        return now - movedAt < STILL_NANOS;
    }
}
