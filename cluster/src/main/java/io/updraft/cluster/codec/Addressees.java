package io.updraft.cluster.codec;

import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;

/** Who may be named in a frame that comes to a worker. */
final class Addressees {

    /** By task: bolts of this worker. */
    private final boolean[] targets;

    /** By executor: spouts of any worker, which own trees. */
    private final boolean[] owners;

    /** By executor: spouts of this worker, which want reports. */
    private final boolean[] ownersHere;

    Addressees(Plan plan, int worker) {
        targets = new boolean[plan.taskToExecutor().length];
        owners = new boolean[plan.executors().size()];
        ownersHere = new boolean[owners.length];
        for (ExecutorPlan executor : plan.executors()) {
            boolean here = executor.worker() == worker;
            boolean spout = plan.components().get(executor.componentIndex()).spout();
            owners[executor.index()] = spout;
            ownersHere[executor.index()] = spout && here;
            for (int task : executor.taskIds()) {
                targets[task] = here && !spout;
            }
        }
    }

    int executors() {
        return owners.length;
    }

    boolean isTarget(int task) {
        return task < targets.length && targets[task];
    }

    boolean isOwner(int executor) {
        return executor < owners.length && owners[executor];
    }

    boolean isOwnerHere(int executor) {
        return executor < ownersHere.length && ownersHere[executor];
    }
}
