package io.updraft.engine.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;

/**
 * The thread in the current turn of an executor, which decides how a call of a collector proceeds: on the quick path, through
 * the wrapper of a task (see {@link io.updraft.engine.api.TaskWrapper}), or as a call of a thread outside.
 *
 * <p>While a task is wrapped, no thread is on the quick path. So every call of a collector takes the path of outside threads,
 * and there the wrapper is called. An executor without wrapped tasks has no extra branch.
 *
 * <p>All state belongs to the thread that runs the executor.
 */
final class TurnThread {

    /** The time of a turn that does not run. */
    public static final long NO_TURN = Long.MIN_VALUE;

    private static final VarHandle SINCE;

    static {
        try {
            SINCE = MethodHandles.lookup().findVarHandle(TurnThread.class, "since", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The thread in the current turn, unless a task is wrapped. Any thread may compare itself with this field: only the thread
     * in the turn can find itself here.
     */
    private Thread runner;

    /** The thread in the current turn while a task is wrapped. Any thread may compare itself with this field, too. */
    private Thread wrappedRunner;

    private int wrapped;

    private final Supplier<RunningTask> task;

    /** When the current turn began, {@link #NO_TURN} between turns. Read by any thread. */
    private long since = NO_TURN;

    /**
     * Creates the state of an executor that is in no turn.
     *
     * @param task tells which task the executor runs, on the thread in the turn
     */
    public TurnThread(Supplier<RunningTask> task) {
        this.task = task;
    }

    /**
     * Begins a turn.
     *
     * @param now the time by the engine's clock, nanoseconds
     */
    public void beginTurn(long now) {
        Thread current = Thread.currentThread();
        put(current);
        if (current instanceof EngineThread own) {
            own.enter(this);
        }
        SINCE.setRelease(this, now);
    }

    public void endTurn() {
        put(null);
        SINCE.setRelease(this, NO_TURN);
    }

    /** Returns the task that runs in the turn, null if the calling thread is not in the turn. */
    RunningTask runningTask() {
        return isTurn() ? task.get() : null;
    }

    /** {@return when the current turn began by the engine's clock, nanoseconds; {@link #NO_TURN} between turns; from any thread} */
    public long since() {
        return (long) SINCE.getAcquire(this);
    }

    /** {@return the thread in the turn, null between turns; may be called from any thread, and may be out of date} */
    public Thread thread() {
        Thread quick = runner;
        return quick == null ? wrappedRunner : quick;
    }

    private void put(Thread current) {
        runner = wrapped == 0 ? current : null;
        wrappedRunner = wrapped == 0 ? null : current;
    }

    /** Adjusts the number of wrapped tasks, in the middle of a turn or between turns. */
    public void addWrapped(int difference) {
        Thread current = wrappedRunner == null ? runner : wrappedRunner;
        wrapped += difference;
        put(current);
    }

    /** Returns whether the calling thread is in the turn and on the quick path. */
    public boolean isQuick() {
        return Thread.currentThread() == runner;
    }

    /** Returns whether the calling thread is in the turn and a task is wrapped. */
    public boolean isWrapped() {
        return Thread.currentThread() == wrappedRunner;
    }

    /** Returns whether the calling thread is in the turn, with or without wrapped tasks. */
    public boolean isTurn() {
        return isTurnOf(Thread.currentThread());
    }

    /** Returns whether a turn is running on any thread. May be called from any thread; the answer may be out of date. */
    public boolean isTurnOn() {
        return runner != null || wrappedRunner != null;
    }

    /** Returns whether a thread is in the turn. May be called from any thread; the answer may be out of date. */
    public boolean isTurnOf(Thread other) {
        return other == runner || other == wrappedRunner;
    }

    /** Returns to the quick path for one call. Returns false when the calling thread is not in the turn. */
    public boolean resumeQuickPath() {
        if (!isWrapped()) {
            return false;
        }
        runner = wrappedRunner;
        wrappedRunner = null;
        return true;
    }

    /** Leaves the quick path that {@link #resumeQuickPath} entered, unless a wrap in between has already left it. */
    public void leaveQuickPath() {
        if (runner != null) {
            put(runner);
        }
    }

    /** Leaves the quick path in the middle of a call that {@link #resumeQuickPath} began. Returns whether there was such a call. */
    public boolean suspendQuickPath() {
        if (wrapped == 0 || runner == null) {
            return false;
        }
        put(runner);
        return true;
    }
}
