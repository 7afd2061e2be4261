package io.updraft.storm.context;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.generated.NodeInfo;

/**
 * The place of a worker, as its components see it.
 *
 * @param worker the worker's number in the plan
 * @param port the port that identifies the worker
 * @param slot the worker's slot in a Storm cluster; empty outside of a cluster
 */
public record WorkerPlace(int worker, int port, Optional<Slot> slot) {

    /** The first of Storm's default slots. */
    private static final int FIRST_PORT = 6700;

    /**
     * A worker's slot in a Storm cluster. Components read the maps and references on each request; the maps may be updated
     * while the topology runs.
     *
     * @param node the id of the Supervisor
     * @param taskToComponent the component of each task of the topology, including tasks of Storm's own components
     * @param tasks the tasks of this worker
     * @param resources the directory with the topology's resources
     * @param pids the directory in which each process of this worker has a file, named by its process id
     * @param blobVersions the version of each blob, by its local name
     * @param taskToNodePort the node and port of each task
     * @param nodeToHost the host of each Supervisor
     */
    public record Slot(
            String node,
            Map<Integer, String> taskToComponent,
            List<Integer> tasks,
            Path resources,
            Path pids,
            Map<String, Long> blobVersions,
            AtomicReference<Map<Integer, NodeInfo>> taskToNodePort,
            AtomicReference<Map<String, String>> nodeToHost) {}

    /**
     * {@return the place of a worker of this host outside of a Storm cluster; its port is not open}
     *
     * @param worker the worker's number in the plan
     */
    public static WorkerPlace local(int worker) {
        return new WorkerPlace(worker, portOf(worker), Optional.empty());
    }

    /**
     * {@return the port that identifies a worker outside of a Storm cluster, like the port of a Storm slot; it is not open}
     *
     * @param worker the worker's number
     */
    public static int portOf(int worker) {
        return FIRST_PORT + worker;
    }
}
