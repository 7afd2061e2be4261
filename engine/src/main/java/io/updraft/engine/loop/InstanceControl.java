package io.updraft.engine.loop;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;

/** The control of one instance of a component. All methods that change the wrapper are called on the executor's thread. */
final class InstanceControl implements TaskControl {

    /** The executor that has the task. Changes while the executor does not run; read by any thread. */
    private volatile Executor executor;

    private final int taskId;

    /** The wrapper of the instance; null for none. */
    private TaskWrapper wrapper;

    private boolean gone;

    InstanceControl(Executor executor, int taskId) {
        this.executor = executor;
        this.taskId = taskId;
    }

    @Override
    public void run(Runnable action) {
        if (executor.detour.isTurn()) {
            action.run();
        } else {
            new Order(action).orderAgain();
        }
    }

    private final class Order implements Detour.Order {
        private final Runnable action;

        private Order(Runnable action) {
            this.action = action;
        }

        @Override
        public void obey() {
            InstanceControl.this.obey(action);
        }

        /** Repeats the order if the task has moved to another executor meanwhile. */
        @Override
        public void orderAgain() {
            Executor asked;
            do {
                asked = executor;
                asked.detour.order(this);
            } while (asked != executor && asked.detour.withdraw(this));
        }
    }

    /** Moves with the instance to another executor, while neither runs. */
    void moveTo(Executor next) {
        executor = next;
        if (wrapper != null) {
            next.detour.addWrapped(1);
        }
    }

    private void obey(Runnable action) {
        if (gone) {
            return;
        }
        try {
            action.run();
        } catch (Throwable t) {
            executor.failure(taskId, "an action of the system", t);
        }
    }

    @Override
    public void wrap(TaskWrapper next) {
        if (gone) {
            return;
        }
        count(next);
        wrapper = next;
        executor.rewrap(taskId);
    }

    private void count(TaskWrapper next) {
        int difference = (next == null ? 0 : 1) - (wrapper == null ? 0 : 1);
        if (difference != 0) {
            executor.detour.addWrapped(difference);
        }
    }

    @Override
    public int queued() {
        Executor asked = executor;
        // For an executor that runs apart, the seat counts only the tuples that it has not passed on.
        int handed = asked.apart ? (int) asked.counters.getAcquire(Counter.IN_HAND) : 0;
        return asked.seat.queuedForView() + asked.link.tuplesToExecutor.get() + handed;
    }

    @Override
    public boolean isInTurn() {
        return executor.detour.isTurnOn();
    }

    TaskWrapper wrapper() {
        return wrapper;
    }

    /** Ends the control, because the instance has ended. */
    void end() {
        if (!gone) {
            gone = true;
            count(null);
            wrapper = null;
        }
    }
}
