package io.updraft.engine.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The slow path of an executor that has a wrapped task (see {@link io.updraft.engine.api.TaskWrapper}), and the orders that
 * other threads place to run on its thread.
 *
 * <p>While a task is wrapped, {@link Executor#runner} is null. So every call of a collector takes the path of outside threads,
 * and there the wrapper is called. An executor without wrapped tasks has no extra branch.
 *
 * <p>All state except the orders belongs to the thread that runs the executor.
 */
final class Detour {

    private final Executor executor;
    private final Queue<Order> orders = new ConcurrentLinkedQueue<>();
    private volatile boolean ordered;

    /** Number of tasks that are wrapped now. */
    private int wrapped;

    /**
     * The value that {@link Executor#runner} would have without wrapped tasks. Any thread may compare itself with this field:
     * only the thread in the turn can find itself here.
     */
    private Thread thread;

    /** An action to run on the thread of the executor that has a task. */
    interface Order {

        /** Runs the action. Called in a turn of that executor. */
        void obey();

        /** Places the order with the executor that has the task now. May be called from any thread. */
        void orderAgain();
    }

    Detour(Executor executor) {
        this.executor = executor;
    }

    /** Begins a turn on this thread. */
    void enter() {
        put(Thread.currentThread());
    }

    /** Ends the turn. */
    void leave() {
        put(null);
    }

    private void put(Thread current) {
        executor.runner = wrapped == 0 ? current : null;
        thread = wrapped == 0 ? null : current;
    }

    /** Adjusts the number of wrapped tasks, in the middle of a turn or between turns. */
    void addWrapped(int difference) {
        Thread current = thread == null ? executor.runner : thread;
        wrapped += difference;
        put(current);
    }

    /** Returns whether the calling thread is in the turn and a task is wrapped. */
    boolean isOwn() {
        return Thread.currentThread() == thread;
    }

    /** Returns whether the calling thread is in the turn, with or without wrapped tasks. */
    boolean isTurn() {
        return isTurnOf(Thread.currentThread());
    }

    /** Returns whether a turn is running on any thread. May be called from any thread; the answer may be out of date. */
    boolean isTurnOn() {
        return executor.runner != null || thread != null;
    }

    /** Returns whether a thread is in the turn. May be called from any thread; the answer may be out of date. */
    boolean isTurnOf(Thread other) {
        return other == executor.runner || other == thread;
    }

    /** Returns to the quick path for one call. Returns false when the calling thread is not in the turn. */
    boolean begin() {
        if (!isOwn()) {
            return false;
        }
        executor.runner = thread;
        thread = null;
        return true;
    }

    /** Leaves the quick path that {@link #begin} entered, unless a wrap in between has already left it. */
    void end() {
        if (executor.runner != null) {
            put(executor.runner);
        }
    }

    /** Leaves the quick path in the middle of a call that {@link #begin} began. Returns whether there was such a call. */
    boolean interrupt() {
        if (wrapped == 0 || executor.runner == null) {
            return false;
        }
        put(executor.runner);
        return true;
    }

    /** Places an order to run on the executor's thread. May be called from any thread. */
    void order(Order order) {
        orders.add(order);
        ordered = true;
        executor.home.wantRefresh();
        executor.link.executorBell.ring();
    }

    /** Withdraws an order. Returns false when the order is already running or done. */
    boolean withdraw(Order order) {
        return orders.remove(order);
    }

    boolean isOrdered() {
        return ordered;
    }

    /** Runs the orders. Call this only in a turn. */
    void obey() {
        ordered = false;
        Order order;
        while ((order = orders.poll()) != null) {
            order.obey();
        }
    }

    /**
     * Passes on the orders placed while the tasks moved to other executors. Called after the move. A thread that places an
     * order checks afterwards whether the task is still here, so either that thread or this method moves the order.
     */
    void passOn() {
        // Orders of a removed instance come back to this queue, where they are never run.
        List<Order> left = new ArrayList<>();
        Order order;
        while ((order = orders.poll()) != null) {
            left.add(order);
        }
        left.forEach(Order::orderAgain);
    }
}
