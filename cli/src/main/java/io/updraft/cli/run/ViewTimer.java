package io.updraft.cli.run;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs work at a fixed rate on its own thread. An exception is logged and does not stop the ticker. */
final class ViewTimer {
    private static final Logger LOG = LoggerFactory.getLogger(ViewTimer.class);
    private static final long STOP_WAIT_SECONDS = 2;

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(ViewTimer::daemon);

    ViewTimer(Duration interval, Runnable work) {
        executor.scheduleAtFixedRate(() -> guarded(work), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "updraft-view");
        thread.setDaemon(true);
        return thread;
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("cannot draw the view", e);
        }
    }

    /** Stops the ticker. Waits at most 2 seconds for a running tick. Idempotent. */
    void stop() {
        executor.shutdown();
        try {
            executor.awaitTermination(STOP_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
