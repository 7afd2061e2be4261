package io.updraft.bench.cluster;

import io.updraft.bench.workers.RunningTopology;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterException;
import io.updraft.stormcluster.WorkerProcess;
import java.util.List;

/** A topology on the cluster. Its workers are the JVMs that run executors; the processes that write their logs do not count. */
final class StormTopologyProcesses implements RunningTopology {

    private final StormCluster cluster;
    private final String name;
    private final String id;
    private boolean closed;

    StormTopologyProcesses(StormCluster cluster, String name, String id) {
        this.cluster = cluster;
        this.name = name;
        this.id = id;
    }

    @Override
    public List<ProcessHandle> workers() {
        return cluster.workersOf(id).stream().map(WorkerProcess::process).toList();
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalStateException when the topology does not end; one line
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            cluster.kill(name);
        } catch (StormClusterException e) {
            throw FailureReport.of(e);
        }
    }
}
