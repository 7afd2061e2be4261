package io.updraft.engine.run;

import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The output of the turns of one executor: the tuples and reports that collectors have put here and that are not sent yet, and
 * the counts of all emits, acks and fails.
 *
 * <p>Belongs to the thread that currently runs the executor, except {@link #shipAt(int)}.
 */
final class Outbox {

    private static final VarHandle SHIP_AT;

    static {
        try {
            SHIP_AT = MethodHandles.lookup().findVarHandle(Outbox.class, "shipAt", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Tuples at which a turn ends early; few enough to be still in the cache when their receivers get their turns. */
    public static final int ENOUGH = 512;

    /** Tuples at which the output is sent in the middle of a call. */
    public static final int TOO_MUCH = 16 * 1024;

    /** Turn numbers fit in 30 bits. */
    private static final int MAX_TURN_NUMBER = 1 << 29;

    private final ExecutorCounters counters;
    private final LoopConnection loop;

    /**
     * Tuples at which the output must be sent; 1 when the turn has no loop any more. Lowered by any thread.
     *
     * <p>Plain, because this field is read with every tuple, and an acquiring read would make the compiler reload all other
     * fields. A thread that reads an old value sends later: at the latest at the check for the end of the turn, every few calls,
     * or when the turn ends and finds its loop gone.
     */
    private int shipAt = TOO_MUCH;

    /**
     * Changes whenever the output is sent: tuples emitted under the current number are still here. Other threads use it as a
     * hint whether turns continue.
     */
    private int turnNumber = 1;

    private Batch batch = new Batch();

    /** Trees of consecutive roots whose only edge was acked in this turn, not yet in the batch. */
    private int runOwner;

    private long runStart;
    private long runEnd;
    private long emitted;
    private long transferred;

    /** Tuples in the batch that are already counted as transferred. */
    private int transfersCounted;

    private long acked;
    private long failed;

    public Outbox(ExecutorCounters counters, LoopConnection loop) {
        this.counters = counters;
        this.loop = loop;
    }

    /** Begins a turn: takes a new turn number, because earlier tuples may have left. */
    public void beginTurn() {
        nextTurnNumber();
        transfersCounted = batch.tupleCount();
    }

    /** Ends a turn: completes the batch, and counts the tuples sent. */
    public void endTurn() {
        reportRun();
        countTransferred();
    }

    private void nextTurnNumber() {
        turnNumber = turnNumber == MAX_TURN_NUMBER ? 1 : turnNumber + 1;
    }

    /** Counts the tuples sent since the turn began or the output was last sent. */
    private void countTransferred() {
        transferred += batch.tupleCount() - transfersCounted;
        transfersCounted = batch.tupleCount();
    }

    /** Sends a tuple. Call this only in a turn. */
    void send(EngineTuple tuple, int task) {
        Batch out = batch;
        out.add(tuple, task);
        if (out.tupleCount() >= shipAt) {
            shipNow();
        }
    }

    /** Sends a report to the owner of a tuple tree. Call this only in a turn. */
    void report(int kind, int owner, long root, long value) {
        batch.addReport(kind, owner, root, value);
        if (shipAt == 1) {
            shipNow();
        }
    }

    /** Reports an ack of the edge derived from the root of a tree. Call this only in a turn. */
    void reportOnlyEdge(int owner, long root) {
        if (root == runEnd && owner == runOwner) {
            runEnd = root + 1;
        } else {
            reportRun();
            runOwner = owner;
            runStart = root;
            runEnd = root + 1;
        }
        if (shipAt == 1) {
            shipNow();
        }
    }

    /**
     * Puts the collected run of such acks, if there is one, into the batch. Called at the end of a turn and before the batch is
     * sent.
     */
    private void reportRun() {
        if (runEnd > runStart) {
            batch.addOnlyEdges(runOwner, runStart, runEnd - runStart);
            runStart = 0;
            runEnd = 0;
        }
    }

    private void shipNow() {
        loop.leaveLoop();
        ship();
    }

    /** Sends the output to the home loop, waiting for room. Call this only when detached. */
    public void ship() {
        reportRun();
        if (batch.isEmpty()) {
            return;
        }
        nextTurnNumber();
        countTransferred();
        transfersCounted = 0;
        publishSent();
        Batch full = batch;
        batch = new Batch(Math.min(full.tupleCount(), 16), Math.min(full.reportCount(), 16));
        loop.ship(full);
    }

    /** Changes the number of tuples at which the output must be sent; 1 for each at once. May be called from any thread. */
    public void shipAt(int tuples) {
        SHIP_AT.setOpaque(this, tuples);
    }

    public int shipAt() {
        return (int) SHIP_AT.getOpaque(this);
    }

    /** Returns whether each tuple must be sent at once. A plain read, for loops over calls of user code. */
    public boolean shipsEach() {
        return shipAt == 1;
    }

    public boolean hasEnough() {
        return batch.tupleCount() >= ENOUGH;
    }

    int turnNumber() {
        return turnNumber;
    }

    /** Returns the output of the last turn, which the home loop sends and clears. */
    public Batch batch() {
        return batch;
    }

    public void drop() {
        reportRun();
        batch.clear();
    }

    /** Releases the memory, while the executor does not run. */
    public void release() {
        batch = new Batch();
    }

    /** Takes over the turn numbers of an executor whose tasks move here: tuples that a task still holds have recorded them. */
    public void continueAfter(Outbox before) {
        turnNumber = Math.max(turnNumber, before.turnNumber + 1);
    }

    void countEmit() {
        emitted++;
    }

    /** Counts a tuple acked by a bolt, or a tuple tree of a spout completed. */
    public void countAck() {
        acked++;
    }

    /** Counts a tuple failed by a bolt, or a tuple tree of a spout failed. */
    public void countFail() {
        failed++;
    }

    public long emitted() {
        return emitted;
    }

    public long acked() {
        return acked;
    }

    /** Returns the number of tuples sent so far, up to this moment of a turn. */
    long sentSoFar() {
        return transferred + Math.max(0, batch.tupleCount() - transfersCounted);
    }

    public void publish() {
        publishSent();
        counters.putRelease(ExecutorCounter.ACKED, acked);
        counters.putRelease(ExecutorCounter.FAILED, failed);
    }

    private void publishSent() {
        counters.putRelease(ExecutorCounter.EMITTED, emitted);
        counters.putRelease(ExecutorCounter.TRANSFERRED, transferred);
    }
}
