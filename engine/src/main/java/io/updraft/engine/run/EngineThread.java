package io.updraft.engine.run;

import io.updraft.base.thread.KernelThread;

/** A thread that the engine has created, as distinct from threads of the user. It runs as the subject of its creator. */
final class EngineThread extends Thread {
    private volatile KernelThread kernel = KernelThread.UNKNOWN;

    /** The newest turn on this thread, which may have ended. Belongs to this thread. */
    private TurnThread turn;

    public EngineThread(Runnable target, String name, ClassLoader loader) {
        super(InheritedSubject.of(target), name);
        setDaemon(true);
        setContextClassLoader(loader);
    }

    @Override
    public void run() {
        kernel = KernelThread.current();
        RunningTask.passToChildren();
        super.run();
    }

    void enter(TurnThread begun) {
        turn = begun;
    }

    /** Returns the task whose code this thread runs, null between turns. Only on this thread. */
    RunningTask runningTask() {
        return turn == null ? null : turn.runningTask();
    }

    /** Returns whether the kernel knows that a thread has a core or waits for one. From any thread. */
    static boolean wantsCore(Thread thread) {
        return thread instanceof EngineThread own && own.kernel.isRunnable();
    }
}
