package io.updraft.storm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.generated.NodeInfo;

/**
 * Where a worker runs, as its components are told.
 *
 * @param worker the worker's number in the plan
 * @param port the port that names the worker
 * @param slot what a Storm cluster says of the worker; empty outside of one
 */
public record WorkerPlace(int worker, int port, Optional<Slot> slot) {

    /** The first of Storm's default slots. */
    private static final int FIRST_PORT = 6700;

    /**
     * What a Storm cluster says of a worker. Its maps and references are read when a component asks, and may be updated while the
     * topology runs.
     *
     * @param node the id of the Supervisor
     * @param taskToComponent the component of each task of the topology, tasks of Storm's own components included
     * @param tasks the tasks of this worker
     * @param resources the directory with the topology's resources
     * @param pids the directory in which each process of this worker has a file, named by its process id
     * @param blobVersions version of each blob, by its local name
     * @param taskToNodePort where each task runs
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
     * Names a worker of this host outside of a Storm cluster.
     *
     * @param worker the worker's number in the plan
     * @return the place; nothing listens on its port
     */
    public static WorkerPlace local(int worker) {
        return new WorkerPlace(worker, portOf(worker), Optional.empty());
    }

    /** {@return the port that names a worker outside of a Storm cluster, as Storm's slots do; nothing listens on it} */
    static int portOf(int worker) {
        return FIRST_PORT + worker;
    }
}
