package io.updraft.engine.run;

import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.tuple.Batch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connects an executor to its home loop, on which it runs or from which it is detached. A detached executor runs on a thread of
 * its own and has one ring each way. All its input and output passes through the home loop. That keeps the order, and other
 * loops need not know where the executor runs.
 *
 * <p>All fields except the final and volatile ones belong to the thread that currently runs the executor.
 */
final class LoopConnection {

    private static final int DETACHED_BATCH = 256;
    private static final int TO_EXECUTOR = 2;
    private static final int FROM_EXECUTOR = 256;

    /** With more full batches waiting for the loop, a spout emits no more: it would not see back-pressure in time. */
    private static final int MOST_WAITING = 8;

    private final Executor executor;
    private final ExecutorRuntime runtime;
    private final TopologyLifecycle lifecycle;

    /** Written while all loops stand still. */
    private volatile EventLoop home;

    /** The number of the current turn on the loop; see {@link TurnGuard}. */
    private long turnOnLoop;

    private boolean detached;

    /** How often the executor has left its loop. Each time its turns must be quick for longer before it returns. */
    private int detachments;

    /** Tuples that wait on the loop for the executor. Written by the loop, read by any thread. */
    private volatile int queuedOnLoop;

    private final SpscRing<Batch> toExecutor = new SpscRing<>(TO_EXECUTOR);
    private final SpscRing<Batch> fromExecutor = new SpscRing<>(FROM_EXECUTOR);
    private final Doorbell executorBell = new Doorbell();

    /** Whether the executor has given up its thread: it has sent its last batch, and the loop will take it back. */
    private volatile boolean returning;

    /** Tuples in the ring to the executor, for readers on other threads. Counted a batch at a time. */
    private final AtomicInteger tuplesToExecutor = new AtomicInteger();

    LoopConnection(Executor executor, ExecutorRuntime runtime, TopologyLifecycle lifecycle) {
        this.executor = executor;
        this.runtime = runtime;
        this.lifecycle = lifecycle;
    }

    /** Returns the loop that routes for the executor. May be called from any thread. */
    EventLoop home() {
        return home;
    }

    /** Changes the loop that routes for the executor, while all loops stand still. */
    void moveTo(EventLoop loop) {
        home = loop;
    }

    boolean isDetached() {
        return detached;
    }

    /** Wakes the thread that runs the executor, the loop's or its own. May be called from any thread. */
    void ring() {
        home.ring();
        executorBell.ring();
    }

    /** Makes the executor take a turn soon, although it has no input. May be called from any thread. */
    void requestTurn() {
        home.requestTurns();
        executorBell.ring();
    }

    /** Waits a little in a call that cannot continue because there is no room for its tuples. From any thread. */
    void pause() {
        runtime.pause(executor);
    }

    public void beginTurn(long turn) {
        turnOnLoop = turn;
    }

    /** Gives up the loop in a turn, unless the executor is already detached. The turn continues without the loop. */
    void leaveLoop() {
        if (!detached) {
            home.onStuck(turnOnLoop);
            detached = true;
            executor.outbox.shipAt(1);
        }
    }

    /** Sends a batch to the home loop in a turn, waiting for room. */
    void ship(Batch full) {
        while (!fromExecutor.offer(full)) {
            if (lifecycle.isStopping()) {
                return;
            }
            awaitRoom();
        }
        home.ring();
    }

    private void awaitRoom() {
        long start = executor.shared.clock().nanoTime();
        runtime.pause(executor);
        if (executor.turnThread.since() != TurnThread.NO_TURN) {
            executor.busyTime.heldBack(executor.shared.clock().nanoTime() - start);
        }
    }

    /** Leaves the loop for a thread of its own. Returns how often the executor had left before. */
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
     * Chooses how many tuples to send at once while detached: one by one if the next call may block, batches if calls are quick.
     */
    public void chooseShipment() {
        executor.outbox.shipAt(executor.budget.isQuick() ? DETACHED_BATCH : 1);
    }

    public void publishQueued(int tuples) {
        queuedOnLoop = tuples;
    }

    /** Returns the number of tuples that wait for the executor anywhere. May be called from any thread; an estimate. */
    public int queued() {
        // For an executor that is detached, the loop counts only the tuples that it has not passed on.
        return queuedOnLoop + (detached ? passedOn() : tuplesToExecutor.get());
    }

    /**
     * Returns the number of tuples that the loop has passed to the executor while it is detached, and that are not executed yet.
     * May be called from any thread; an estimate.
     */
    public int passedOn() {
        return tuplesToExecutor.get() + (int) executor.counters.getAcquire(ExecutorCounter.IN_HAND);
    }

    // ---------------------------------------------------------------------------------------------- the loop's side

    public boolean hasInputCapacity() {
        return toExecutor.size() < toExecutor.capacity();
    }

    /** Passes a batch to the executor. Call this only when there is room. */
    public void offerInput(Batch batch) {
        tuplesToExecutor.addAndGet(batch.tupleCount());
        toExecutor.offer(batch);
        executorBell.ring();
    }

    public Batch pollOutput() {
        return fromExecutor.poll();
    }

    /** Wakes a spout that waits until the loop has taken its output. Called by the loop. */
    public void outputTaken() {
        executorBell.ring();
    }

    public boolean hasOutput() {
        return !fromExecutor.isEmpty();
    }

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

    public Batch pollInput() {
        Batch batch = toExecutor.poll();
        if (batch != null) {
            tuplesToExecutor.addAndGet(-batch.tupleCount());
        }
        return batch;
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

    /** Returns whether no batch is under way between the loop and the executor. */
    public boolean isEmpty() {
        return toExecutor.isEmpty() && fromExecutor.isEmpty();
    }

    /** Returns whether a spout that is detached may emit more. */
    boolean hasRoomForOutput() {
        return fromExecutor.size() < (executor.budget.isQuick() ? MOST_WAITING : FROM_EXECUTOR);
    }

    public void awaitInput(long nanos) {
        boolean full = !hasRoomForOutput();
        executorBell.sleepUnless(() -> !toExecutor.isEmpty() || full && hasRoomForOutput(), nanos);
    }
}
