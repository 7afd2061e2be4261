package io.updraft.cli.run;

import io.updraft.base.thread.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the topologies at least once a second, in one place: each snapshot of an engine ends an interval of its latencies. The
 * view is shown after a sample, on a thread of its own, because a terminal may block. An exception is logged and stops neither.
 */
final class TopologySampler {
    private static final Logger LOG = LoggerFactory.getLogger(TopologySampler.class);
    private static final long STOP_WAIT_SECONDS = 2;
    private static final long MAX_PERIOD_NANOS = 1_000_000_000L;

    private final ScheduledExecutorService sampler =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("updraft-sampler"));
    private final ScheduledExecutorService viewer =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("updraft-view"));
    private final AtomicBoolean showing = new AtomicBoolean();
    private final Runnable sample;
    private final Runnable show;

    /** The number of samples between two updates of the view. */
    private final long samplesPerView;

    /** Samples so far; only the sampler's thread uses it. */
    private long samples;

    /** Starts to sample. The view is shown once in an interval; the interval is divided into periods of a second at most. */
    TopologySampler(Duration interval, Runnable sample, Runnable show) {
        this.sample = sample;
        this.show = show;
        samplesPerView = Math.max(1, (interval.toNanos() + MAX_PERIOD_NANOS - 1) / MAX_PERIOD_NANOS);
        long period = interval.toNanos() / samplesPerView;
        sampler.scheduleAtFixedRate(this::tick, period, period, TimeUnit.NANOSECONDS);
    }

    private void tick() {
        guarded(sample, "cannot sample the topologies");
        samples++;
        if (samples % samplesPerView == 0 && showing.compareAndSet(false, true)) {
            viewer.execute(this::showOnce);
        }
    }

    private void showOnce() {
        guarded(show, "cannot draw the view");
        showing.set(false);
    }

    private static void guarded(Runnable work, String complaint) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error(complaint, e);
        }
    }

    /** Stops. Waits at most 2 seconds each for a running sample and a running update of the view. Idempotent. */
    void stop() {
        try {
            sampler.shutdown();
            sampler.awaitTermination(STOP_WAIT_SECONDS, TimeUnit.SECONDS);
            viewer.shutdown();
            viewer.awaitTermination(STOP_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
