package io.updraft.cluster.codec;

import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;

/** The tasks and executors that a frame sent to this worker may name. */
final class FrameTargets {
    /** By task: whether the task is a bolt task of this worker, and so may receive tuples. */
    private final boolean[] targets;

    /** By executor: whether it is a spout executor, of any worker. Spout executors own tuple trees. */
    private final boolean[] owners;

    /** By executor: whether it is a spout executor of this worker, and so receives reports. */
    private final boolean[] ownersHere;

    FrameTargets(Plan plan, int worker) {
        targets = new boolean[plan.taskToExecutor().length];
        owners = new boolean[plan.executors().size()];
        ownersHere = new boolean[owners.length];
        for (ExecutorPlan executor : plan.executors()) {
            boolean local = executor.worker() == worker;
            boolean spout = plan.components().get(executor.componentIndex()).spout();
            owners[executor.index()] = spout;
            ownersHere[executor.index()] = spout && local;
            for (int task : executor.taskIds()) {
                targets[task] = local && !spout;
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
