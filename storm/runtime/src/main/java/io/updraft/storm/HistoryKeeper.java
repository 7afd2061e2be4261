package io.updraft.storm;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the counts of all topologies of a cluster once a step, for the counts of the last ten minutes and longer
 * windows.
 */
final class HistoryKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryKeeper.class);

    private final Topologies topologies;
    private final Duration step;
    private ScheduledExecutorService timer;

    HistoryKeeper(Topologies topologies, Duration step) {
        this.topologies = topologies;
        this.step = step;
    }

    /** Starts the timer. Idempotent. */
    synchronized void start() {
        if (timer == null) {
            timer = Executors.newSingleThreadScheduledExecutor(job -> {
                Thread thread = new Thread(job, "updraft-history");
                // Not the class loader of the submitting program: the thread would keep it after the topology's end.
                thread.setContextClassLoader(HistoryKeeper.class.getClassLoader());
                thread.setDaemon(true);
                return thread;
            });
            timer.scheduleAtFixedRate(this::sample, step.toNanos(), step.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void sample() {
        topologies.all().forEach(HistoryKeeper::sample);
    }

    /** Catches everything: an exception that escapes would cancel the timer. */
    private static void sample(RunningTopology topology) {
        try {
            topology.remember();
        } catch (RuntimeException | Error e) {
            LOG.warn("cannot read the counts of topology '{}'; trying again at the next step", topology.name(), e);
        }
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
