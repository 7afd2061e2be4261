package io.updraft.engine.run;

import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Receives batches from other workers: a ring for each loop. Belongs to the gateway's thread, except the rings' other ends. */
final class RemoteInput {

    /** Value in place of a loop: not in this worker. */
    private static final int NOWHERE = -1;

    /** More trees than an executor can have in flight. */
    private static final long MAX_TREES = 1L << 28;

    private final Plan plan;
    private final int[] loopOfTask;

    /** Only for spouts, because only spouts own trees. */
    private final int[] loopOfOwner;

    private final List<SpscRing<Batch>> rings = new ArrayList<>();
    private final Batch[] parts;
    private final boolean[] needed;

    /** Batches that may wait for a loop. */
    private int limit;

    RemoteInput(TopologyServices shared, int ring) {
        plan = shared.plan();
        loopOfTask = new int[plan.taskToExecutor().length];
        loopOfOwner = new int[plan.executors().size()];
        Arrays.fill(loopOfTask, NOWHERE);
        Arrays.fill(loopOfOwner, NOWHERE);
        for (ExecutorPlan executor : plan.executors()) {
            if (executor.worker() == shared.self().worker()) {
                addExecutor(executor);
            }
        }
        for (int i = 0; i < plan.loops(); i++) {
            rings.add(new SpscRing<>(ring));
        }
        limit = rings.get(0).capacity();
        parts = new Batch[plan.loops()];
        needed = new boolean[plan.loops()];
    }

    private void addExecutor(ExecutorPlan executor) {
        for (int task : executor.taskIds()) {
            loopOfTask[task] = executor.loop();
        }
        if (plan.components().get(executor.componentIndex()).spout()) {
            loopOfOwner[executor.index()] = executor.loop();
        }
    }

    SpscRing<Batch> ring(int loop) {
        return rings.get(loop);
    }

    /** Checks that all entries are for this worker, and finds the loops that receive a part. */
    void check(Batch batch) {
        Arrays.fill(needed, false);
        for (int i = 0; i < batch.tupleCount(); i++) {
            int task = batch.target(i);
            if (task < 0 || task >= loopOfTask.length || loopOfTask[task] == NOWHERE) {
                throw new IllegalArgumentException(
                        "received a tuple for task " + task + ", which is not in this worker");
            }
            needed[loopOfTask[task]] = true;
        }
        for (int i = 0; i < batch.reportCount(); i++) {
            checkReport(batch, i);
            needed[loopOfOwner[batch.owner(i)]] = true;
        }
    }

    private void checkReport(Batch batch, int index) {
        int owner = batch.owner(index);
        if (owner < 0 || owner >= loopOfOwner.length || loopOfOwner[owner] == NOWHERE) {
            throw new IllegalArgumentException(
                    "received a report for executor " + owner + ", which is not a spout of this worker");
        }
        int kind = batch.kind(index);
        if (kind < Batch.ACK || kind > Batch.RESET_TIMEOUT || batch.root(index) <= 0) {
            throw new IllegalArgumentException(
                    "received an invalid report of kind " + kind + " for tree " + batch.root(index));
        }
        long trees = batch.value(index);
        if (kind == Batch.ACK_ONLY_EDGE && (trees < 1 || trees > MAX_TREES)) {
            throw new IllegalArgumentException("received an invalid ack of " + trees + " trees at once");
        }
    }

    /** Returns whether there is room for the batch that was checked last. */
    boolean hasCapacity() {
        for (int loop = 0; loop < needed.length; loop++) {
            if (needed[loop] && rings.get(loop).size() >= limit) {
                return false;
            }
        }
        return true;
    }

    /** Changes how many batches may wait for a loop, at least one. */
    void setLimit(int batches) {
        limit = Math.max(1, Math.min(batches, rings.get(0).capacity()));
    }

    /** Puts the batch that was checked last into the rings. Call this only when there is room. */
    void put(Batch batch, List<Doorbell> loops) {
        int only = onlyNeeded();
        if (only >= 0) {
            offer(batch, only, loops);
            return;
        }
        for (int i = 0; i < batch.tupleCount(); i++) {
            part(loopOfTask[batch.target(i)]).add(batch.tuple(i), batch.target(i));
        }
        for (int i = 0; i < batch.reportCount(); i++) {
            int owner = batch.owner(i);
            part(loopOfOwner[owner]).addReport(batch.kind(i), owner, batch.root(i), batch.value(i));
        }
        offerParts(loops);
    }

    private void offerParts(List<Doorbell> loops) {
        for (int loop = 0; loop < parts.length; loop++) {
            if (parts[loop] != null) {
                offer(parts[loop], loop, loops);
                parts[loop] = null;
            }
        }
    }

    /** Returns the loop that receives the whole batch, or a negative number if there are several or none. */
    private int onlyNeeded() {
        int only = -1;
        for (int loop = 0; loop < needed.length; loop++) {
            if (needed[loop] && only >= 0) {
                return -1;
            }
            only = needed[loop] ? loop : only;
        }
        return only;
    }

    private Batch part(int loop) {
        if (parts[loop] == null) {
            parts[loop] = new Batch();
        }
        return parts[loop];
    }

    private void offer(Batch batch, int loop, List<Doorbell> loops) {
        if (!rings.get(loop).offer(batch)) {
            throw new IllegalStateException("the ring to loop " + loop + " is full although it had room");
        }
        loops.get(loop).ring();
    }

    /**
     * Notifies all spouts that their trees are lost, through the same rings as acks. Acks delivered before are counted before;
     * acks delivered later come too late.
     *
     * @return false when there was no room to notify all spouts
     */
    boolean failAll(List<Doorbell> loops) {
        Arrays.fill(needed, false);
        for (int loop : loopOfOwner) {
            if (loop != NOWHERE) {
                needed[loop] = true;
            }
        }
        if (!hasCapacity()) {
            return false;
        }
        for (int owner = 0; owner < loopOfOwner.length; owner++) {
            if (loopOfOwner[owner] != NOWHERE) {
                part(loopOfOwner[owner]).addReport(Batch.FAIL_ALL, owner, 0, 0);
            }
        }
        offerParts(loops);
        return true;
    }
}
