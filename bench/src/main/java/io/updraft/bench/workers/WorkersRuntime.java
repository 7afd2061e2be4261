package io.updraft.bench.workers;

import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * Something that runs topologies in worker processes on this host. An implementation has a public constructor without
 * parameters; what is costly to start is started once, with the first topology, and kept for those that follow. One
 * topology runs at a time. Used by one thread, but for {@link #close}, which any thread may call, also while another one submits.
 */
public interface WorkersRuntime extends AutoCloseable {

    /** Whether Updraft's workers run a topology on a Storm cluster that has both kinds; a key of its configuration. */
    String ENABLED = "topology.updraft.enabled";

    /** The archive that puts Updraft's workers into a Storm cluster; a system property of the harness. Without, it has stock workers. */
    String ARCHIVE = "updraft.bench.archive";

    /**
     * Starts what the workers of topologies need, unless it runs already. What it takes counts for no topology's start.
     *
     * @param workers as many as the next topology has
     * @throws Exception when it cannot be started
     */
    default void prepare(int workers) throws Exception {}

    /**
     * Starts a topology in as many workers as {@code topology.workers} says. Their JVMs get
     * {@code topology.worker.childopts}.
     *
     * @param name the topology's name
     * @param conf its configuration
     * @param topology what to run
     * @return the topology, which may still be starting
     * @throws Exception when it cannot be started; nothing of it is left behind then
     */
    RunningTopology submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception;

    /** Ends whatever still runs, and the processes behind it. Idempotent. */
    @Override
    void close();
}
