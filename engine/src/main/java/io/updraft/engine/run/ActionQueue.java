package io.updraft.engine.run;

import io.updraft.engine.run.InstanceControl.PlacedAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The actions that other threads place to run on the thread of an executor. */
final class ActionQueue {

    private final Queue<PlacedAction> actions = new ConcurrentLinkedQueue<>();
    private final Runnable wake;
    private volatile boolean placed;

    ActionQueue(Runnable wake) {
        this.wake = wake;
    }

    /** Places an action. May be called from any thread. */
    void place(PlacedAction action) {
        actions.add(action);
        placed = true;
        wake.run();
    }

    /** Withdraws an action. Returns false when the action is already running or done. */
    boolean withdraw(PlacedAction action) {
        return actions.remove(action);
    }

    /** Returns whether actions were placed since the last {@link #runAll}. */
    public boolean isPlaced() {
        return placed;
    }

    /** Runs the actions. Call this only in a turn. */
    void runAll() {
        placed = false;
        PlacedAction action;
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
        List<PlacedAction> left = new ArrayList<>();
        PlacedAction action;
        while ((action = actions.poll()) != null) {
            left.add(action);
        }
        left.forEach(PlacedAction::placeAgain);
    }
}
