package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that owns all state of a coordinator. Any thread may hand it work. After it has ended, the state no longer
 * changes, and callers run their work themselves, one at a time.
 */
final class CoordinatorThread {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorThread.class);

    private final ScheduledThreadPoolExecutor executor;

    CoordinatorThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.factory(name));
        executor.setRemoveOnCancelPolicy(true);
        // At shutdown, timers are dropped, but work for which a caller waits is still done.
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void post(Runnable work) {
        postLater(work, 0);
    }

    void postLater(Runnable work, long delayNanos) {
        try {
            executor.schedule(() -> guarded(work), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("dropped an event: the coordinator has shut down");
        }
    }

    /** Runs work and waits for its end. Must not be called on the owner thread. */
    void run(Runnable work) {
        call(Executors.callable(work));
    }

    /** Runs work and waits for its result. Must not be called on the owner thread. {@return the result of the work} */
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

    void shutDown() {
        executor.shutdown();
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("handling an event of the workers has failed", e);
        }
    }
}
