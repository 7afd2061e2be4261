package io.updraft.cluster.supervised;

import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.utils.ObjectReader;

/**
 * The cluster as one worker sees it: the Supervisor's configuration, the worker's arguments and files, its topology, the
 * connection to ZooKeeper with the state in it, and the Supervisor. Safe to use from any thread.
 */
record ClusterConnection(
        Map<String, Object> conf,
        WorkerArguments arguments,
        WorkerFiles files,
        SubmittedTopology spec,
        IStateStorage storage,
        IStormClusterState state,
        SupervisorConnection supervisor) {

    /** Announces the worker's process id to the Supervisor, and connects to ZooKeeper. */
    static ClusterConnection connect(Map<String, Object> conf, WorkerArguments arguments) throws Exception {
        conf.put(Config.PACEMAKER_AUTH_METHOD, "NONE");
        WorkerFiles files = new WorkerFiles(conf, arguments);
        files.announce();
        SubmittedTopology spec = SubmittedTopology.read(conf, arguments.topologyId());
        ClusterStateContext context = new ClusterStateContext(DaemonType.WORKER, spec.conf());
        IStateStorage storage = ClusterUtils.mkStateStorage(conf, spec.conf(), context);
        IStormClusterState state = ClusterUtils.mkStormClusterState(storage, null, context);
        return new ClusterConnection(
                conf, arguments, files, spec, storage, state, new SupervisorConnection(spec.conf(), arguments, state));
    }

    /** Reads the topology's assignment; empty if the topology is no longer assigned. */
    Optional<Schedule> schedule() {
        return supervisor
                .assignment()
                .map(assignment ->
                        Schedule.of(assignment, spec.componentOfTask().keySet()));
    }

    int seconds(String key) {
        return ObjectReader.getInt(conf.get(key));
    }

    void disconnect() {
        state.removeWorkerHeartbeat(arguments.topologyId(), arguments.node(), (long) arguments.port());
        state.disconnect();
        storage.close();
    }
}
