package io.updraft.storm;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at all topologies of a cluster once in a while, so that counts of the last ten minutes can be told. */
final class HistoryKeeper implements AutoCloseable {
    private final Topologies topologies;
    private ScheduledExecutorService timer;

    HistoryKeeper(Topologies topologies) {
        this.topologies = topologies;
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
            long seconds = CountHistory.STEP_SECS;
            timer.scheduleAtFixedRate(this::look, seconds, seconds, TimeUnit.SECONDS);
        }
    }

    private void look() {
        topologies.all().forEach(RunningTopology::remember);
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
