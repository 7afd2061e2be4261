package io.updraft.cluster.local;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns all state of a coordinator. Any thread may hand it work. When it is gone, nothing changes any
 * more, and callers look for themselves, one at a time.
 */
final class OwnerThread {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerThread.class);

    private final ScheduledThreadPoolExecutor executor;

    OwnerThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        // At the end timers are dropped, but what somebody waits for is still done.
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Has something done soon. */
    void post(Runnable work) {
        try {
            executor.execute(() -> guarded(work));
        } catch (RejectedExecutionException e) {
            LOG.debug("too late for an event: everything is over");
        }
    }

    /** Has something done after a while. */
    void postLater(Runnable work, long delayNanos) {
        try {
            executor.schedule(() -> guarded(work), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("too late for a timer: everything is over");
        }
    }

    /** Has something done and waits for it; not to be called on the thread itself. {@return what it returned} */
    <T> T call(Callable<T> work) {
        try {
            return executor.submit(work).get();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (CancellationException | RejectedExecutionException e) {
            return callAfterwards(work);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        }
    }

    private synchronized <T> T callAfterwards(Callable<T> work) {
        try {
            executor.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            return work.call();
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (Exception e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while waiting for the workers' coordinator", e);
    }

    /** Lets the thread go when it has done what it is doing. */
    void shutDown() {
        executor.shutdown();
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("an event of the workers could not be dealt with", e);
        }
    }
}
