package io.updraft.storm.cluster;

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
final class CountHistoryTimer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CountHistoryTimer.class);

    private final TopologyRegistry topologies;
    private final Duration step;
    private ScheduledExecutorService timer;

    CountHistoryTimer(TopologyRegistry topologies, Duration step) {
        this.topologies = topologies;
        this.step = step;
    }

    /** Starts the timer. Idempotent. */
    synchronized void start() {
        if (timer == null) {
            timer = Executors.newSingleThreadScheduledExecutor(job -> {
                Thread thread = new Thread(job, "updraft-history");
                // Not the class loader of the submitting program: the thread would keep it after the topology's end.
                thread.setContextClassLoader(CountHistoryTimer.class.getClassLoader());
                thread.setDaemon(true);
                return thread;
            });
            timer.scheduleAtFixedRate(this::sample, step.toNanos(), step.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void sample() {
        topologies.all().forEach(CountHistoryTimer::sample);
    }

    /** Catches everything: an exception that escapes would cancel the timer. */
    private static void sample(EmbeddedTopology topology) {
        try {
            topology.recordCounts();
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
