package io.updraft.cluster.worker;

import io.updraft.cluster.link.LinkOptions;
import io.updraft.engine.plan.Assignment;
import io.updraft.storm.context.TopologyContexts;
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
 * @param link the options of the link to other workers; not used if there are none
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
        LinkOptions link) {}
