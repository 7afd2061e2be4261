package io.updraft.cluster.worker;

import io.updraft.engine.plan.Assignment;
import io.updraft.storm.TopologyContexts;
import io.updraft.transport.Address;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Peer;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * Says what a worker runs.
 *
 * @param name the topology's name
 * @param id the topology's id
 * @param topology the topology
 * @param conf its whole configuration
 * @param assignment which worker runs which executor
 * @param worker this worker's number in the assignment
 * @param incarnation tells this process from those that were the same worker before it; see
 *     {@link io.updraft.engine.api.WorkerOptions}
 * @param seed the seed of every random choice of this worker
 * @param contexts makes the contexts of its components
 * @param link how the other workers reach it; not used if there are none
 */
public record WorkerSpec(
        String name,
        String id,
        StormTopology topology,
        Map<String, Object> conf,
        Assignment assignment,
        int worker,
        int incarnation,
        long seed,
        TopologyContexts contexts,
        Link link) {

    /**
     * How the other workers reach this one, and know it.
     *
     * @param self what it is to them
     * @param credentials by which the workers know each other
     * @param host the name of this host
     * @param at where it listens; with port 0 the system chooses
     */
    public record Link(Peer self, Credentials credentials, String host, Address at) {}
}
