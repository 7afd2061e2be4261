package io.updraft.bench.cluster;

import io.updraft.bench.workers.RunningTopology;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterException;
import io.updraft.stormcluster.WorkerProcess;
import java.time.Duration;
import java.util.List;

/** A topology on the cluster. Its workers are the JVMs that run executors; the processes that write their logs do not count. */
final class StormTopologyProcesses implements RunningTopology {

    private static final Duration START = Duration.ofMinutes(4);

    private final StormCluster cluster;
    private final String name;
    private final boolean stock;
    private volatile List<WorkerProcess> started = List.of();
    private boolean closed;

    /**
     * @param cluster where it runs
     * @param name the topology's name
     * @param stock whether its workers are to be Storm's own
     */
    StormTopologyProcesses(StormCluster cluster, String name, boolean stock) {
        this.cluster = cluster;
        this.name = name;
        this.stock = stock;
    }

    /** Returns when that many workers have started, and may send to each other. */
    void begin(int workers) {
        cluster.await("Storm to start " + workers + " workers", START, () -> {
            cluster.check();
            started = cluster.workers(name);
            return started.size() == workers && started.stream().allMatch(cluster::isReady);
        });
        started.forEach(this::check);
        cluster.activate(name);
    }

    /** A run in the wrong workers would be believed. */
    private void check(WorkerProcess worker) {
        if (worker.isStock() != stock) {
            throw new IllegalStateException("the worker at port " + worker.port() + " runs " + worker.mainClass()
                    + " where " + (stock ? "Storm's" : "Updraft's") + " was asked for");
        }
    }

    @Override
    public List<ProcessHandle> workers() {
        return cluster.workers(name).stream().map(WorkerProcess::process).toList();
    }

    @Override
    public List<String> obituaries() {
        return started.stream()
                .filter(worker -> !worker.process().isAlive())
                .map(this::obituary)
                .toList();
    }

    private String obituary(WorkerProcess worker) {
        return "Storm's worker at port " + worker.port() + ", process "
                + worker.process().pid() + ", ended: "
                + cluster.complaint(worker).orElse("its log has no error, so it was killed or out of memory");
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the topology does not end; one line, with a cause that has the logs
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            cluster.kill(name);
        } catch (StormClusterException e) {
            throw new IllegalStateException(e.summary(), e);
        }
    }
}
