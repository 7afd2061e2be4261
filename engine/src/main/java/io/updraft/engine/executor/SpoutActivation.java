package io.updraft.engine.executor;

import io.updraft.engine.count.ExecutorCounter;

/** Activates and deactivates the spouts of one executor. Used in a turn of the executor. */
final class SpoutActivation {

    private final Executor executor;
    private final SpoutTask[] tasks;

    /** Whether the executor runs Storm's checkpoint spout. */
    private final boolean checkpoints;

    /** Whether a task has been activated. */
    private boolean activated;

    /** Whether some tasks may be activated and others not. */
    private boolean uneven;

    SpoutActivation(Executor executor, SpoutTask[] tasks, boolean checkpoints) {
        this.executor = executor;
        this.tasks = tasks;
        this.checkpoints = checkpoints;
    }

    /** Returns whether a task has been activated, so that a call of nextTuple may follow. */
    boolean isActivated() {
        return activated;
    }

    /** Called when instances were opened, or when tasks came from other executors. */
    void tasksChanged() {
        uneven = true;
        for (SpoutTask task : tasks) {
            activated |= task.active;
        }
    }

    /** Returns the value of {@link ExecutorCounter#ASKED}. */
    int asked() {
        return activated && !checkpoints ? 1 : 0;
    }

    /** Calls activate or deactivate of the spouts that are not in the wanted state. */
    int apply(boolean active) {
        if (activated == active && !uneven) {
            return 0;
        }
        activated = active;
        uneven = false;
        if (active && !checkpoints) {
            executor.counters.putRelease(ExecutorCounter.ASKED, 1);
        }
        for (SpoutTask task : tasks) {
            if (task.spout != null && task.active != active) {
                apply(task, active);
            }
        }
        return 1;
    }

    /**
     * Activates or deactivates a spout. A spout whose activate threw is not deactivated; a spout whose deactivate threw is not
     * called again.
     */
    private void apply(SpoutTask task, boolean active) {
        executor.budget.countCalls(1);
        try {
            if (active) {
                task.spout.activate();
                task.active = true;
            } else {
                task.active = false;
                task.spout.deactivate();
            }
        } catch (Throwable t) {
            executor.failures.handle(task.taskId, active ? "activate" : "deactivate", t);
        }
    }
}
