package io.updraft.cluster.supervised;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import io.updraft.engine.snapshot.ErrorReport;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports failures to Nimbus, where Storm's UI shows them. The rate is limited as in Storm: at most
 * {@code topology.max.error.report.per.interval} failures of a component in {@code topology.error.throttle.interval.secs}. The
 * worker's log has all failures. Used from any thread; callers never wait for ZooKeeper.
 */
final class NimbusErrorReporter implements Consumer<ErrorReport>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NimbusErrorReporter.class);
    private static final long FLUSH_SECONDS = 2;

    private final ClusterConnection cluster;
    private final String anyComponent;
    private final int most;
    private final long intervalNanos;
    private final Map<String, Interval> intervals = new HashMap<>();
    private final ExecutorService sender = Executors.newSingleThreadExecutor(DaemonThreads.factory("updraft-errors"));

    private record Interval(long beganNanos, int reported) {}

    NimbusErrorReporter(ClusterConnection cluster, String anyComponent) {
        Map<String, Object> conf = cluster.spec().conf();
        this.cluster = cluster;
        this.anyComponent = anyComponent;
        this.most = ObjectReader.getInt(conf.get(Config.TOPOLOGY_MAX_ERROR_REPORT_PER_INTERVAL), 5);
        this.intervalNanos = TimeUnit.SECONDS.toNanos(
                ObjectReader.getInt(conf.get(Config.TOPOLOGY_ERROR_THROTTLE_INTERVAL_SECS), 10));
    }

    @Override
    public void accept(ErrorReport report) {
        if (report.componentId() == null) { // the engine logs failures of components itself
            LOG.error("worker: {} failed: {}", report.during(), report.consequence(), report.error());
        }
        String component = report.componentId() == null ? anyComponent : report.componentId();
        if (isAllowed(component)) {
            try {
                sender.execute(() -> send(component, report.error()));
            } catch (RejectedExecutionException e) {
                LOG.debug("the worker ends: an error of {} is not reported to Nimbus", component, e);
            }
        }
    }

    private synchronized boolean isAllowed(String component) {
        long now = System.nanoTime();
        Interval interval = intervals.get(component);
        if (interval == null || now - interval.beganNanos > intervalNanos) {
            interval = new Interval(now, 0);
        }
        intervals.put(component, new Interval(interval.beganNanos, interval.reported + 1));
        return interval.reported < most;
    }

    private void send(String component, Throwable error) {
        try {
            WorkerArguments arguments = cluster.arguments();
            cluster.state()
                    .reportError(arguments.topologyId(), component, Utils.hostname(), (long) arguments.port(), error);
        } catch (Exception e) {
            LOG.warn("cannot report an error of {} to Nimbus", component, e);
        }
    }

    /** Waits for reports in progress, two seconds at most. */
    @Override
    public void close() {
        sender.shutdown();
        try {
            sender.awaitTermination(FLUSH_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
