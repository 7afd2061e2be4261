package io.updraft.engine.executor;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The actions that other threads place to run on the thread of an executor. */
public final class ActionQueue {

    private final Queue<Action> actions = new ConcurrentLinkedQueue<>();
    private final Runnable wake;
    private volatile boolean placed;

    /** An action to run on the thread of the executor that has a task. */
    interface Action {

        /** Runs the action. Called in a turn of that executor. */
        void run();

        /** Places the action with the executor that has the task now. May be called from any thread. */
        void placeAgain();
    }

    /**
     * Creates an empty queue.
     *
     * @param wake makes the executor take a turn soon
     */
    ActionQueue(Runnable wake) {
        this.wake = wake;
    }

    /** Places an action. May be called from any thread. */
    void place(Action action) {
        actions.add(action);
        placed = true;
        wake.run();
    }

    /** Withdraws an action. Returns false when the action is already running or done. */
    boolean withdraw(Action action) {
        return actions.remove(action);
    }

    /** Returns whether actions were placed since the last {@link #runAll}. */
    public boolean isPlaced() {
        return placed;
    }

    /** Runs the actions. Call this only in a turn. */
    void runAll() {
        placed = false;
        Action action;
        while ((action = actions.poll()) != null) {
            action.run();
        }
    }

    /**
     * Passes on the actions placed while the tasks moved to other executors. Called after the move. A thread that places an
     * action checks afterwards whether the task is still here, so either that thread or this method moves the action.
     */
    public void passOn() {
        // Actions of a removed instance come back to this queue, where they are never run.
        List<Action> left = new ArrayList<>();
        Action action;
        while ((action = actions.poll()) != null) {
            left.add(action);
        }
        left.forEach(Action::placeAgain);
    }
}
