package io.updraft.engine.loop;

/**
 * The thread in the current turn of an executor, which decides how a call of a collector proceeds: on the quick path, through
 * the wrapper of a task (see {@link io.updraft.engine.api.TaskWrapper}), or as a call of a thread outside.
 *
 * <p>While a task is wrapped, no thread is on the quick path. So every call of a collector takes the path of outside threads,
 * and there the wrapper is called. An executor without wrapped tasks has no extra branch.
 *
 * <p>All state belongs to the thread that runs the executor.
 */
final class Detour {

    /**
     * The thread in the current turn, unless a task is wrapped. Any thread may compare itself with this field: only the thread
     * in the turn can find itself here.
     */
    private Thread runner;

    /** The thread in the current turn while a task is wrapped. Any thread may compare itself with this field, too. */
    private Thread wrappedRunner;

    /** Number of tasks that are wrapped now. */
    private int wrapped;

    /** Begins a turn on this thread. */
    void enter() {
        put(Thread.currentThread());
    }

    /** Ends the turn. */
    void leave() {
        put(null);
    }

    private void put(Thread current) {
        runner = wrapped == 0 ? current : null;
        wrappedRunner = wrapped == 0 ? null : current;
    }

    /** Adjusts the number of wrapped tasks, in the middle of a turn or between turns. */
    void addWrapped(int difference) {
        Thread current = wrappedRunner == null ? runner : wrappedRunner;
        wrapped += difference;
        put(current);
    }

    /** Returns whether the calling thread is in the turn and on the quick path. */
    boolean isQuick() {
        return Thread.currentThread() == runner;
    }

    /** Returns whether the calling thread is in the turn and a task is wrapped. */
    boolean isOwn() {
        return Thread.currentThread() == wrappedRunner;
    }

    /** Returns whether the calling thread is in the turn, with or without wrapped tasks. */
    boolean isTurn() {
        return isTurnOf(Thread.currentThread());
    }

    /** Returns whether a turn is running on any thread. May be called from any thread; the answer may be out of date. */
    boolean isTurnOn() {
        return runner != null || wrappedRunner != null;
    }

    /** Returns whether a thread is in the turn. May be called from any thread; the answer may be out of date. */
    boolean isTurnOf(Thread other) {
        return other == runner || other == wrappedRunner;
    }

    /** Returns to the quick path for one call. Returns false when the calling thread is not in the turn. */
    boolean begin() {
        if (!isOwn()) {
            return false;
        }
        runner = wrappedRunner;
        wrappedRunner = null;
        return true;
    }

    /** Leaves the quick path that {@link #begin} entered, unless a wrap in between has already left it. */
    void end() {
        if (runner != null) {
            put(runner);
        }
    }

    /** Leaves the quick path in the middle of a call that {@link #begin} began. Returns whether there was such a call. */
    boolean interrupt() {
        if (wrapped == 0 || runner == null) {
            return false;
        }
        put(runner);
        return true;
    }
}
