package io.updraft.engine.run;

import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.tuple.Batch;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The batches that threads outside the engine have posted to a loop, which routes them. Any thread may post. */
final class Mailbox {

    /** Batches, each of one emit, at which user threads must wait. */
    private static final int CAPACITY = 8192;

    private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Doorbell bell;

    Mailbox(Doorbell bell) {
        this.bell = bell;
    }

    void post(Batch batch) {
        count.incrementAndGet();
        batches.add(batch);
        bell.ring();
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    boolean isFull() {
        return count.get() > CAPACITY;
    }

    /** Routes all batches. Called by the loop. Returns their number. */
    int drain(RoutingTable routes) {
        int taken = 0;
        Batch batch;
        while ((batch = batches.poll()) != null) {
            routes.route(batch);
            taken++;
        }
        if (taken > 0) {
            count.addAndGet(-taken);
        }
        return taken;
    }
}
