package io.updraft.bench.workers;

import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * Something that runs topologies in worker processes on this host. An implementation has a public constructor without
 * parameters; what is costly to start is started once, with the first topology, and kept for those that follow. One
 * topology runs at a time. Used by one thread, but for {@link #close}, which any thread may call, also while another one submits.
 */
public interface WorkersRuntime extends AutoCloseable {

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
