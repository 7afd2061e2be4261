package io.updraft.cluster.worker;

import io.updraft.engine.plan.Assignment;
import io.updraft.storm.TopologyContexts;
import io.updraft.transport.Address;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Peer;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * The description of what a worker runs.
 *
 * @param name the topology's name
 * @param id the topology's id
 * @param topology the topology
 * @param conf the whole configuration of the topology
 * @param assignment the worker of each executor
 * @param worker this worker's number in the assignment
 * @param incarnation distinguishes this process from earlier processes of the same worker; see
 *     {@link io.updraft.engine.api.WorkerOptions}
 * @param seed the seed of every random choice of this worker
 * @param contexts creates the contexts of its components
 * @param link the worker's identity and address for other workers; not used if there are none
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
     * The identity and the address of a worker for the other workers.
     *
     * @param self the topology, the number and the incarnation of this worker
     * @param credentials the secrets by which the workers authenticate each other
     * @param host the name of this host
     * @param at the address to listen on; with port 0 the system chooses the port
     */
    public record Link(Peer self, Credentials credentials, String host, Address at) {}
}
