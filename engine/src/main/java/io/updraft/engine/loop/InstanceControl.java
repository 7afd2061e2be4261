package io.updraft.engine.loop;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;

/** One instance of a component in the hands of whoever made its context. All but {@link #run} on the executor's thread. */
final class InstanceControl implements TaskControl {

    /** Whose task it is. Changes while that does not run; read by any thread. */
    private volatile Executor executor;

    private final int taskId;

    /** How the instance is wrapped; null for not at all. */
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

        /** The task may go to yet another executor at any time. */
        @Override
        public void orderAgain() {
            Executor asked;
            do {
                asked = executor;
                asked.detour.order(this);
            } while (asked != executor && asked.detour.withdraw(this));
        }
    }

    /** Goes with the instance to another executor. While neither runs. */
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
        // Of one that runs apart, the seat counts only what it has not handed over.
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

    /** The instance is gone. */
    void end() {
        if (!gone) {
            gone = true;
            count(null);
            wrapper = null;
        }
    }
}
