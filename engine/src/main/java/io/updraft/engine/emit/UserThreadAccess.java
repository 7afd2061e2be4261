package io.updraft.engine.emit;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.state.TopologyServices;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.turn.EngineThread;

/** What the user's own threads use of an executor when they call the collectors of its tasks. */
public final class UserThreadAccess {

    private static final int SEED = 0x5EED;

    /** Held while a user thread emits, and while the executor moves to another loop. */
    private final Object lock = new Object();

    /** Edge ids for emits of user threads, shared by all instances, because no id may occur twice. Guarded by the lock. */
    private final EdgeIds edges;

    private final TopologyServices shared;

    /** The regions to which the executor sends. */
    private final int[] downstream;

    private final LoopAccess loop;

    UserThreadAccess(TopologyServices shared, ExecutorPlan executor, LoopAccess loop) {
        this.shared = shared;
        this.downstream = shared.pressure().downstreamOf(executor.componentIndex());
        this.loop = loop;
        this.edges = new EdgeIds(EdgeIds.seedFor(shared.edgeSeed() + SEED, executor.index()));
    }

    /** Returns the seed of the groupers that serve user threads. */
    static long seedFor(TopologyServices shared, int task) {
        return EdgeIds.seedFor(shared.seed() + SEED, task);
    }

    public Object lock() {
        return lock;
    }

    /** Returns the next edge id. Call this only under the lock. */
    long nextEdge() {
        return edges.next();
    }

    /** Passes a batch to the loop of the executor. Call this only under the lock. */
    void post(Batch batch) {
        loop.home().post(batch);
    }

    /** Wakes the thread that runs the executor. */
    void ring() {
        loop.ring();
    }

    /** Waits a little. */
    void pause() {
        loop.pause();
    }

    /** Blocks a user thread while the executor itself would be held back. Never blocks a thread of the engine. */
    void awaitRoom() {
        while ((loop.home().isMailboxFull() || shared.pressure().holdsBack(downstream))
                && !(Thread.currentThread() instanceof EngineThread)
                && !shared.lifecycle().isStopping()) {
            loop.pause();
        }
    }
}
