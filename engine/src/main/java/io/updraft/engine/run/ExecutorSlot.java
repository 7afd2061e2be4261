package io.updraft.engine.run;

import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.SpoutTrees;

/** An executor on an event loop: its queue, and whether it should run. Used only by the thread that owns the loop. */
final class ExecutorSlot {

    /** Queued work at which an executor counts as congested, nanoseconds. */
    private static final long QUEUE_NANOS = 20_000_000;

    /** For longer calls, an idle task is a better target than a near task. */
    private static final long QUICK_CALL_NANOS = 10_000;

    private static final int FEWEST_QUEUED = 64;
    private static final int FIRST_QUEUED = 256;

    private final Executor executor;

    /** The executor if it is a spout, else null. */
    private final SpoutExecutor spout;

    /** The tuple trees of the executor if it is a spout, else null. */
    private final SpoutTrees trees;

    private final int index;
    private final BackPressure pressure;
    private final TaskOverload overload;
    private final int mostQueued;

    /** Tuples and reports that have not been passed to the executor yet. */
    private Batch inbox = new Batch();

    /** Whether tuples in the inbox came from another loop or worker. */
    private boolean crossed;

    boolean ready;

    /** Whether the executor runs on a thread of its own, connected by its link. */
    boolean detached;

    /** Whether other executors have its tasks. */
    private boolean retired;

    /** Whether the executor was closed because the topology stops. */
    boolean closed;

    private boolean congested;
    private boolean loaded;
    private boolean slow;
    private int publishedQueued;

    /** Copy for readers on other threads. */
    private volatile boolean isCongested;

    /** The loop that routes for the executor. Written while all loops stand still. */
    private volatile EventLoop loop;

    public ExecutorSlot(Executor executor, TopologyServices shared) {
        this.executor = executor;
        this.spout = executor instanceof SpoutExecutor own ? own : null;
        this.trees = spout == null ? null : spout.trees();
        this.index = executor.plan().index();
        this.pressure = shared.pressure();
        this.overload = shared.overload();
        this.mostQueued = shared.settings().queueHighWater();
    }

    public Executor executor() {
        return executor;
    }

    /** Returns the loop that routes for the executor. May be called from any thread. */
    public EventLoop loop() {
        return loop;
    }

    public void moveTo(EventLoop next) {
        loop = next;
        executor.connection().moveTo(next);
    }

    /** Returns whether the executor runs on a thread of its own. May be called from any thread; may be out of date. */
    public boolean isDetached() {
        return detached;
    }

    /** Reports to a spout whether the loop has room for the tuples of its next turn. */
    void setLoopClear(boolean clear) {
        spout.setLoopClear(clear);
    }

    /**
     * Returns whether the executor is a spout. Spouts get a turn in each round; only bolts are in the queue of slots with work.
     */
    public boolean isSpout() {
        return spout != null;
    }

    public void addTuple(EngineTuple tuple, int task) {
        inbox.add(tuple, task);
    }

    /** Takes note that the inbox has tuples of another loop or worker. */
    void markCrossed() {
        crossed = true;
    }

    /** Takes all tuples of a batch whose only target is a task of this executor. */
    void takeTuples(Batch batch) {
        inbox.takeTuples(batch);
    }

    /** Takes a report. If the executor runs on this loop, it is not in a turn now, so an ack can be counted at once. */
    void addReport(int kind, long root, long value) {
        if (!detached && kind <= Batch.ACK_ONLY_EDGE) {
            trees.ack(kind, root, value);
        } else if (!detached && kind == Batch.FAIL_ALL) {
            trees.invalidate();
        } else if (!retired) {
            inbox.addReport(kind, index, root, value);
        }
    }

    public boolean hasInput() {
        return !inbox.isEmpty() || !executor.input().isEmpty();
    }

    /** Returns the number of queued tuples. For an executor that is detached, tuples passed to it are not included. */
    public int queued() {
        return detached
                ? inbox.tupleCount()
                : inbox.tupleCount() + executor.input().tuples();
    }

    public boolean isCongested() {
        return isCongested;
    }

    boolean inboxIsEmpty() {
        return inbox.isEmpty();
    }

    /** Passes the queue to the executor, if the executor has processed its previous batch. */
    void handOver() {
        if (!inbox.isEmpty() && executor.input().isEmpty()) {
            inbox = executor.input().exchange(inbox, crossed);
            crossed = false;
        }
    }

    /** Takes the queue, to send it to an executor that is detached. */
    public Batch takeInbox() {
        Batch taken = inbox;
        inbox = new Batch();
        return taken;
    }

    /**
     * Takes back an executor that was detached. Batches that it had not taken come first. From now on acks are counted as they
     * arrive, so waiting reports must be counted first. Otherwise an ack could overtake an edge that was created before it.
     */
    void rejoin(Batch notTaken) {
        detached = false;
        notTaken.addAll(inbox);
        inbox = notTaken;
        int reports = notTaken.reportCount();
        if (reports > 0) {
            // Only spouts receive reports, and spouts receive nothing else.
            inbox = new Batch();
            for (int i = 0; i < reports; i++) {
                addReport(notTaken.kind(i), notTaken.root(i), notTaken.value(i));
            }
        }
    }

    /** Clears the congestion and the load, because the tasks move to other executors. Call this only while no loop runs. */
    void retire() {
        // From now on reports are neither counted nor kept, because the trees have ended.
        retired = true;
        detached = true;
        if (congested) {
            congested = false;
            pressure.lower(executor.component().index());
        }
        isCongested = false;
        publishQueued(0);
        overload.set(executor.plan().taskIds(), false);
        executor.retire();
    }

    /**
     * Returns the queue length at which back-pressure begins: as many tuples as take a certain time to process. A fast bolt
     * then does not run out of work while it wakes its upstream components, and tuples for a slow bolt do not get old in the
     * queue.
     */
    private int highWater() {
        long nanos = executor.budget().callNanos();
        if (nanos == 0) {
            // The duration of a call is not known yet.
            return Math.min(mostQueued, FIRST_QUEUED);
        }
        long tuples = QUEUE_NANOS / nanos;
        return (int) Math.min(mostQueued, Math.max(FEWEST_QUEUED, tuples));
    }

    private void publishQueued(int queued) {
        publishedQueued = queued;
        executor.connection().publishQueued(queued);
    }

    /** Updates back-pressure and load when the queue has crossed a mark. Returns whether the region has just become free. */
    boolean measure() {
        int queued = queued();
        int waiting = detached ? queued + executor.connection().passedOn() : queued;
        int highWater = highWater();
        int lowWater = highWater / 2;
        if (queued != publishedQueued) {
            publishQueued(queued);
        }
        if (slow != executor.budget().callNanos() > QUICK_CALL_NANOS) {
            slow = !slow;
            overload.setSlow(executor.plan().taskIds(), slow);
        }
        overload.seen(executor.plan().taskIds());
        if (loaded ? waiting <= lowWater / 2 : waiting > lowWater) {
            loaded = !loaded;
            overload.set(executor.plan().taskIds(), loaded);
        }
        if (congested ? waiting <= lowWater : waiting > highWater) {
            congested = !congested;
            isCongested = congested;
            if (congested) {
                pressure.raise(executor.component().index());
            } else {
                return pressure.lower(executor.component().index());
            }
        }
        return false;
    }
}
