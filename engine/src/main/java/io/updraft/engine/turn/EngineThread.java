package io.updraft.engine.turn;

import io.updraft.base.thread.KernelThread;

/** A thread that the engine has created, as distinct from threads of the user. It runs as the subject of its creator. */
public final class EngineThread extends Thread {
    private volatile KernelThread kernel = KernelThread.UNKNOWN;

    public EngineThread(Runnable target, String name, ClassLoader loader) {
        super(InheritedSubject.of(target), name);
        setDaemon(true);
        setContextClassLoader(loader);
    }

    @Override
    public void run() {
        kernel = KernelThread.current();
        super.run();
    }

    /** Returns whether the kernel knows that a thread has a core or waits for one. From any thread. */
    static boolean wantsCore(Thread thread) {
        return thread instanceof EngineThread own && own.kernel.isRunnable();
    }
}
