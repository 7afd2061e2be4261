package io.updraft.engine.loop;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The way around the quick path of an executor of which a task is wrapped (see {@link io.updraft.engine.api.TaskWrapper}), and
 * what others want done on its thread.
 *
 * <p>While a task is wrapped, {@link Executor#runner} is null: so every call of a collector finds itself outside and goes the
 * slow way, and there the wrapper is asked for. Who is not wrapped has no branch for it.
 *
 * <p>All but the orders belongs to the thread that runs the executor.
 */
final class Detour {

    private final Executor executor;
    private final Queue<Order> orders = new ConcurrentLinkedQueue<>();
    private volatile boolean ordered;

    /** Tasks that are wrapped now. */
    private int wrapped;

    /**
     * What {@link Executor#runner} would be if nothing were wrapped. Any thread may compare itself with it: it can only find
     * itself if it is the one.
     */
    private Thread thread;

    /** What is to be done on the thread of the executor that has a task. */
    interface Order {

        /** Does it. In a turn of that executor. */
        void obey();

        /** Orders it of the executor that has the task now. From any thread. */
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

    /** Counts tasks that were wrapped, or unwrapped, in the middle of a turn or between turns. */
    void addWrapped(int difference) {
        Thread current = thread == null ? executor.runner : thread;
        wrapped += difference;
        put(current);
    }

    /** Whether this is the thread of the turn, and something is wrapped. */
    boolean isOwn() {
        return Thread.currentThread() == thread;
    }

    /** Whether this is the thread of the turn, whatever is wrapped. */
    boolean isTurn() {
        return isTurnOf(Thread.currentThread());
    }

    /** Whether a turn is on, on whichever thread. A look from any thread. */
    boolean isTurnOn() {
        return executor.runner != null || thread != null;
    }

    /** Whether a thread is in the turn. A look from any thread. */
    boolean isTurnOf(Thread other) {
        return other == executor.runner || other == thread;
    }

    /** Goes back to the quick path for one call; false when this is not the thread of the turn. */
    boolean begin() {
        if (!isOwn()) {
            return false;
        }
        executor.runner = thread;
        thread = null;
        return true;
    }

    /** Ends what {@link #begin} began, unless something was wrapped in between. */
    void end() {
        if (executor.runner != null) {
            put(executor.runner);
        }
    }

    /** Leaves the quick path in the middle of a call that {@link #begin} began; whether this was one. */
    boolean interrupt() {
        if (wrapped == 0 || executor.runner == null) {
            return false;
        }
        put(executor.runner);
        return true;
    }

    /** Has something done on the executor's thread. From any thread. */
    void order(Order order) {
        orders.add(order);
        ordered = true;
        executor.home.wantRefresh();
        executor.link.executorBell.ring();
    }

    /** Takes back what was ordered; false when it is being done, or was. */
    boolean withdraw(Order order) {
        return orders.remove(order);
    }

    boolean isOrdered() {
        return ordered;
    }

    /** Does what was ordered. In a turn. */
    void obey() {
        ordered = false;
        Order order;
        while ((order = orders.poll()) != null) {
            order.obey();
        }
    }

    /**
     * Passes on what was ordered while the tasks went to other executors. After they have gone: whoever orders looks again, when
     * that is done, whether the task is still here, so that either he or this finds it.
     */
    void passOn() {
        // Those of an instance that is gone come back here, where nobody does them.
        List<Order> left = new ArrayList<>();
        Order order;
        while ((order = orders.poll()) != null) {
            left.add(order);
        }
        left.forEach(Order::orderAgain);
    }
}
