package io.updraft.base.thread;

import java.util.concurrent.ThreadFactory;

/** Creates threads with a name that do not keep the JVM alive. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /**
     * Creates a thread without starting it.
     *
     * @param name the thread's name
     * @param job what the thread runs
     * @return the thread
     */
    public static Thread create(String name, Runnable job) {
        Thread thread = new Thread(job, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts a thread.
     *
     * @param name the thread's name
     * @param job what the thread runs
     * @return the running thread
     */
    public static Thread start(String name, Runnable job) {
        Thread thread = create(name, job);
        thread.start();
        return thread;
    }

    /**
     * Waits for the end of a thread. Returns at once, still interrupted, when the calling thread is interrupted.
     *
     * @param thread the thread
     * @param millis the longest time to wait, milliseconds; 0 for no limit
     */
    public static void join(Thread thread, long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns a factory for the threads of an executor.
     *
     * @param name the name of each thread
     * @return the factory
     */
    public static ThreadFactory factory(String name) {
        return job -> create(name, job);
    }
}
