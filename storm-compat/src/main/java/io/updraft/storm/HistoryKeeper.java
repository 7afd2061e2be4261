package io.updraft.storm;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at all topologies of a cluster once in a while, so that counts of the last ten minutes can be told. */
final class HistoryKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryKeeper.class);

    private final Topologies topologies;
    private final Duration step;
    private ScheduledExecutorService timer;

    HistoryKeeper(Topologies topologies, Duration step) {
        this.topologies = topologies;
        this.step = step;
    }

    /** Begins to look. Idempotent. */
    synchronized void start() {
        if (timer == null) {
            timer = Executors.newSingleThreadScheduledExecutor(job -> {
                Thread thread = new Thread(job, "updraft-history");
                // Not that of the program that happens to submit: it would outlive its topology.
                thread.setContextClassLoader(HistoryKeeper.class.getClassLoader());
                thread.setDaemon(true);
                return thread;
            });
            timer.scheduleAtFixedRate(this::look, step.toNanos(), step.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void look() {
        topologies.all().forEach(HistoryKeeper::look);
    }

    /** What escapes from here would be the last look of all. */
    private static void look(RunningTopology topology) {
        try {
            topology.remember();
        } catch (RuntimeException | Error e) {
            LOG.warn("the counts of topology '{}' could not be looked at; they will be again", topology.name(), e);
        }
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
