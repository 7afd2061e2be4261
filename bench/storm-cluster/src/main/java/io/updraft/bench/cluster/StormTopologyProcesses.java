package io.updraft.bench.cluster;

import io.updraft.bench.workers.WorkersTopology;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterException;
import io.updraft.stormcluster.StormWorkerProcess;
import java.time.Duration;
import java.util.List;

/** A topology on the cluster. Its workers are the JVMs that run executors, without Storm's log writer processes. */
final class StormTopologyProcesses implements WorkersTopology {

    private static final Duration START = Duration.ofMinutes(4);

    private final StormCluster cluster;
    private final String name;
    private final boolean stock;
    private volatile List<StormWorkerProcess> started = List.of();
    private boolean closed;

    /**
     * @param stock whether the workers must be Storm's own
     */
    StormTopologyProcesses(StormCluster cluster, String name, boolean stock) {
        this.cluster = cluster;
        this.name = name;
        this.stock = stock;
    }

    /**
     * Waits until {@code workers} workers have started and can send to each other, checks their kind, and activates the
     * topology.
     */
    void begin(int workers) {
        cluster.await("Storm to start " + workers + " workers", START, () -> {
            cluster.check();
            started = cluster.workers(name);
            return started.size() == workers && started.stream().allMatch(cluster::isReady);
        });
        started.forEach(this::check);
        cluster.activate(name);
    }

    /** Throws if the cluster launched the wrong kind of worker; otherwise the run would report wrong results. */
    private void check(StormWorkerProcess worker) {
        if (worker.isStock() != stock) {
            throw new IllegalStateException("the worker at port " + worker.port() + " runs " + worker.mainClass()
                    + "; expected was " + (stock ? "Storm's" : "Updraft's") + " worker");
        }
    }

    @Override
    public List<ProcessHandle> workers() {
        return cluster.workers(name).stream().map(StormWorkerProcess::process).toList();
    }

    @Override
    public List<String> obituaries() {
        return started.stream()
                .filter(worker -> !worker.process().isAlive())
                .map(this::obituary)
                .toList();
    }

    private String obituary(StormWorkerProcess worker) {
        return "Storm's worker at port " + worker.port() + ", process "
                + worker.process().pid() + ", ended: "
                + cluster.complaint(worker).orElse("its log has no error; the worker was killed or ran out of memory");
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the topology does not end; the message is one line, and the cause has the logs
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
