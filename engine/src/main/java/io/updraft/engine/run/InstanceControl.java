package io.updraft.engine.run;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;
import java.util.List;

/** The control of one instance of a component. All methods that change the wrapper are called on the executor's thread. */
final class InstanceControl implements TaskControl {

    /** The executor that has the task. Changes while the executor does not run; read by any thread. */
    private volatile Executor executor;

    private final int taskId;
    private TaskWrapper wrapper;
    private boolean ended;

    InstanceControl(Executor executor, int taskId) {
        this.executor = executor;
        this.taskId = taskId;
    }

    @Override
    public void run(Runnable action) {
        if (executor.turnThread().isTurn()) {
            action.run();
        } else {
            new PlacedAction(action).placeAgain();
        }
    }

    /** An action to run on the thread of the executor that has the task. */
    final class PlacedAction {
        private final Runnable action;

        private PlacedAction(Runnable action) {
            this.action = action;
        }

        /** Runs the action. Called in a turn of that executor. */
        void run() {
            if (ended) {
                return;
            }
            try {
                action.run();
            } catch (Throwable t) {
                executor.failures().handle(taskId, "an action of the system", t);
            }
        }

        /** Places the action with the executor that has the task, once more if the task has moved meanwhile. Any thread. */
        void placeAgain() {
            Executor owner;
            do {
                owner = executor;
                owner.actions().place(this);
            } while (owner != executor && owner.actions().withdraw(this));
        }
    }

    /** Moves with the instance to another executor, while neither runs. */
    void moveTo(Executor next) {
        executor = next;
        if (wrapper != null) {
            next.turnThread().addWrapped(1);
        }
    }

    @Override
    public void wrap(TaskWrapper next) {
        if (ended) {
            return;
        }
        count(next);
        wrapper = next;
        executor.task(taskId).rewrap();
    }

    private void count(TaskWrapper next) {
        int difference = (next == null ? 0 : 1) - (wrapper == null ? 0 : 1);
        if (difference != 0) {
            executor.turnThread().addWrapped(difference);
        }
    }

    @Override
    public void addDeadLetter(String stream, Object messageId, List<Object> values, int failures) {
        if (!ended && executor instanceof SpoutExecutor spouts) {
            spouts.addDeadLetter(taskId, stream, messageId, values, failures);
        }
    }

    @Override
    public int queued() {
        return executor.connection().queued();
    }

    @Override
    public boolean isInTurn() {
        return executor.turnThread().isTurnOn();
    }

    TaskWrapper wrapper() {
        return wrapper;
    }

    void end() {
        if (!ended) {
            ended = true;
            count(null);
            wrapper = null;
        }
    }
}
