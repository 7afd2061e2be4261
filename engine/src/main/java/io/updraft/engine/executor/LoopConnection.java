package io.updraft.engine.executor;

import io.updraft.engine.count.ExecutorCounter;
import io.updraft.engine.emit.HomeLoop;
import io.updraft.engine.emit.LoopAccess;
import io.updraft.engine.emit.Outbox;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.state.TopologyLifecycle;
import io.updraft.engine.turn.TurnGuard;

/**
 * Connects an executor to its home loop, on which it runs or from which it runs apart.
 *
 * <p>All fields except the final and volatile ones belong to the thread that currently runs the executor.
 */
public final class LoopConnection implements LoopAccess, Outbox.Shipping {

    private static final int DETACHED_BATCH = 256;

    private final Executor executor;
    private final ExecutorRuntime host;
    private final TopologyLifecycle lifecycle;
    private final DetachedLink link = new DetachedLink();

    /** Written while all loops stand still. */
    private volatile HomeLoop home;

    /** The number of the current turn on the loop; see {@link TurnGuard}. */
    private long turnOnLoop;

    /** Whether the executor runs on a thread of its own. */
    private boolean detached;

    /** How often the executor has left its loop. Each time its turns must be quick for longer before it returns. */
    private int detachments;

    /** Tuples that wait on the loop for the executor. Written by the loop, read by any thread. */
    private volatile int queuedOnLoop;

    LoopConnection(Executor executor, ExecutorRuntime host, TopologyLifecycle lifecycle) {
        this.executor = executor;
        this.host = host;
        this.lifecycle = lifecycle;
    }

    @Override
    public HomeLoop home() {
        return home;
    }

    /** Changes the loop that routes for the executor, while all loops stand still. */
    public void moveTo(HomeLoop loop) {
        home = loop;
    }

    public DetachedLink link() {
        return link;
    }

    boolean isDetached() {
        return detached;
    }

    @Override
    public void ring() {
        home.ring();
        link.ring();
    }

    /** Makes the executor take a turn soon, although it has no input. May be called from any thread. */
    void requestTurn() {
        home.requestTurns();
        link.ring();
    }

    @Override
    public void pause() {
        host.pause(executor);
    }

    /** Begins a turn on the loop; see {@link TurnGuard}. */
    public void beginTurn(long turn) {
        turnOnLoop = turn;
    }

    @Override
    public void leaveLoop() {
        if (!detached) {
            home.onStuck(turnOnLoop);
            detached = true;
            executor.outbox.shipAt(1);
        }
    }

    @Override
    public void ship(Batch full) {
        while (!link.offerOutput(full)) {
            if (lifecycle.isStopping()) {
                return;
            }
            host.pause(executor);
        }
        home.ring();
    }

    /**
     * Leaves the loop for a thread of its own.
     *
     * @return how often the executor had left before
     */
    public int detach() {
        detached = true;
        executor.outbox.shipAt(1);
        return detachments++;
    }

    /** Returns to the loop. Called by the loop, which owns the executor from now on. */
    public void rejoin() {
        detached = false;
        executor.outbox.shipAt(Outbox.TOO_MUCH);
        executor.budget.clearSlowTurns();
    }

    /**
     * Chooses how many tuples to send at once while apart: one by one if the next call may block, batches if calls are quick.
     */
    public void chooseShipment() {
        executor.outbox.shipAt(executor.budget.isQuick() ? DETACHED_BATCH : 1);
    }

    /** Publishes the number of tuples that wait on the loop for the executor. Called by the loop. */
    public void publishQueued(int tuples) {
        queuedOnLoop = tuples;
    }

    /** Returns the number of tuples that wait on the loop for the executor. May be called from any thread. */
    public int queuedOnLoop() {
        return queuedOnLoop;
    }

    /** Returns the number of tuples that wait for the executor anywhere. May be called from any thread; an estimate. */
    int queued() {
        // For an executor that runs apart, the loop counts only the tuples that it has not passed on.
        int handed = detached ? (int) executor.counters.getAcquire(ExecutorCounter.IN_HAND) : 0;
        return queuedOnLoop + link.tuplesToExecutor() + handed;
    }
}
