package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.tuple.EngineTuple;

/**
 * An executor as its event loop sees it: what is queued for it and whether it is to run. Touched only by the thread that
 * owns the loop.
 */
final class Seat {

    /** Work that may be queued for an executor, nanoseconds. */
    private static final long QUEUE_NANOS = 20_000_000;

    /** A call that takes longer is better made by whoever is free than by whoever is near. */
    private static final long QUICK_CALL_NANOS = 10_000;

    private static final int FEWEST_QUEUED = 64;
    private static final int FIRST_QUEUED = 256;

    final Executor executor;

    /** The same, if it is a spout. */
    private final SpoutExecutor spout;

    private final int index;
    private final Pressure pressure;
    private final Overload overload;
    private final int mostQueued;

    /** What came in since the executor was last given something. */
    private Batch inbox = new Batch();

    /** Whether it stands in the loop's queue of those that have something to do. */
    boolean ready;

    /** Whether it runs on a thread of its own, connected by its link. */
    boolean apart;

    /** Whether others have its tasks. Written while no loop runs; read by whoever looks at the topology. */
    private volatile boolean retired;

    /** Whether it was closed because the topology stops. */
    boolean closed;

    private boolean congested;
    private boolean loaded;
    private boolean slow;

    /** For people who look at the topology from outside. */
    private volatile int queuedForView;

    private volatile boolean congestedForView;

    Seat(Executor executor, Shared shared) {
        this.executor = executor;
        this.spout = executor instanceof SpoutExecutor own ? own : null;
        this.index = executor.plan.index();
        this.pressure = shared.pressure();
        this.overload = shared.overload();
        this.mostQueued = shared.settings().queueHighWater();
    }

    /** Spouts are asked each time around; only bolts stand in the queue of those that have something to do. */
    boolean isSpout() {
        return spout != null;
    }

    void addTuple(EngineTuple tuple, int task) {
        inbox.add(tuple, task);
    }

    /** Takes all tuples of a batch, which all go to this executor. */
    void takeTuples(Batch batch) {
        inbox.takeTuples(batch);
    }

    /** Takes a report: the loop owns an executor that runs here and is not in a turn, so an ack can be counted at once. */
    void addReport(int kind, long root, long value) {
        if (!apart && kind <= Batch.ACK_ONLY_EDGE) {
            spout.ack(kind, root, value);
        } else if (!apart && kind == Batch.FAIL_ALL) {
            spout.doom();
        } else if (!retired) {
            inbox.addReport(kind, index, root, value);
        }
    }

    boolean hasInput() {
        return !inbox.isEmpty() || !executor.hasNothingInHand();
    }

    /** Tuples queued here; those that an executor has in hand which runs apart are its own affair. */
    int queued() {
        return apart ? inbox.tupleCount() : inbox.tupleCount() + executor.inHand();
    }

    int queuedForView() {
        return queuedForView;
    }

    boolean congestedForView() {
        return congestedForView;
    }

    boolean isRetired() {
        return retired;
    }

    /** Tuples and reports for which there is room. */
    int inboxCapacity() {
        return inbox.capacity();
    }

    boolean inboxIsEmpty() {
        return inbox.isEmpty();
    }

    /** Gives the executor what is queued, if it has nothing in hand. */
    void handOver() {
        if (!inbox.isEmpty() && executor.hasNothingInHand()) {
            inbox = executor.exchange(inbox);
        }
    }

    /** Takes what is queued, to send it to an executor that runs apart. */
    Batch takeInbox() {
        Batch taken = inbox;
        inbox = new Batch();
        return taken;
    }

    /**
     * Takes an executor back that ran apart. What it had not taken comes before all else. From now on acks count as
     * they come, so those that wait have to be first: else an ack could pass an edge that was made before it.
     */
    void rejoin(Batch notTaken) {
        apart = false;
        notTaken.addAll(inbox);
        inbox = notTaken;
        int reports = notTaken.reportCount();
        if (reports > 0) {
            // A spout's; it is sent nothing else.
            inbox = new Batch();
            for (int i = 0; i < reports; i++) {
                addReport(notTaken.kind(i), notTaken.root(i), notTaken.value(i));
            }
        }
    }

    /** Stops to count as congested or loaded: its tasks go to others. While no loop runs. */
    void retire() {
        // From now on nothing is counted here, and nothing is kept: its trees are over.
        retired = true;
        apart = true;
        if (congested) {
            congested = false;
            pressure.lower(executor.component.index());
        }
        congestedForView = false;
        queuedForView = 0;
        overload.set(executor.plan.taskIds(), false);
        executor.retire();
    }

    /**
     * What may be queued before those upstream are held back: as much as takes some time to work off, so that a fast bolt
     * is not left without work while it wakes them, and what waits for a slow one is not old when its turn comes.
     */
    private int highWater() {
        long nanos = executor.callNanos();
        if (nanos == 0) {
            // Nobody knows yet how long a call takes.
            return Math.min(mostQueued, FIRST_QUEUED);
        }
        long tuples = QUEUE_NANOS / nanos;
        return (int) Math.min(mostQueued, Math.max(FEWEST_QUEUED, tuples));
    }

    /**
     * Compares the queue with the marks and tells those upstream when it has crossed one.
     *
     * @return whether the executor's region has just become free
     */
    boolean measure() {
        int queued = queued();
        int highWater = highWater();
        int lowWater = highWater / 2;
        if (queued != queuedForView) {
            queuedForView = queued;
        }
        if (slow != executor.callNanos() > QUICK_CALL_NANOS) {
            slow = !slow;
            overload.setSlow(executor.plan.taskIds(), slow);
        }
        if (loaded ? queued <= lowWater / 2 : queued > lowWater) {
            loaded = !loaded;
            overload.set(executor.plan.taskIds(), loaded);
        }
        if (congested ? queued <= lowWater : queued > highWater) {
            congested = !congested;
            congestedForView = congested;
            if (congested) {
                pressure.raise(executor.component.index());
            } else {
                return pressure.lower(executor.component.index());
            }
        }
        return false;
    }
}
