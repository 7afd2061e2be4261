package io.updraft.bench.workers;

import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * Runs topologies in worker processes on this host. An implementation has a public constructor without parameters. It starts
 * expensive processes once, with the first topology, and keeps them for later topologies. One topology runs at a time. Used by
 * one thread, except {@link #close}, which any thread may call, also while another thread submits.
 */
public interface WorkersRuntime extends AutoCloseable {

    /**
     * Topology configuration key: whether Updraft's workers run the topology on a Storm cluster that has both kinds of workers.
     */
    String ENABLED = "topology.updraft.enabled";

    /**
     * System property of the harness: the archive that installs Updraft's workers into a Storm cluster. Without it, the cluster
     * has stock workers only.
     */
    String ARCHIVE = "updraft.bench.archive";

    /**
     * System property of the harness: the jars and directories of classes, apart like those of a class path, that topologies
     * need beside the bench's. A Storm cluster gets them; local workers have the harness's class path.
     */
    String PLUGINS = "updraft.bench.plugins";

    /**
     * Starts the processes that workers need, unless they already run. Their start does not count as a topology's start time.
     *
     * @param workers the number of workers of the next topology
     * @throws Exception when it cannot be started
     */
    default void prepare(int workers) throws Exception {}

    /**
     * Starts a topology in {@code topology.workers} workers. Their JVMs get {@code topology.worker.childopts}.
     *
     * @return the running topology, which may still be starting
     * @throws Exception when the topology cannot be started; none of its processes is left then
     */
    WorkersTopology submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception;

    /** Ends the running topology and all processes of this runtime. Idempotent. */
    @Override
    void close();
}
