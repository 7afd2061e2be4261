package io.updraft.cluster.supervised;

import io.updraft.cluster.supervised.Schedule.SupervisorSlot;
import io.updraft.storm.instrument.SystemComponents;
import io.updraft.storm.legacy.LegacyNames;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.daemon.supervisor.AdvancedFSOps;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.SupervisorClient;
import org.apache.storm.utils.SupervisorIfaceFactory;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
        IStormClusterState state) {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterConnection.class);

    /** Announces the worker's process id to the Supervisor, and connects to ZooKeeper. */
    static ClusterConnection connect(Map<String, Object> conf, WorkerArguments arguments) throws Exception {
        conf.put(Config.PACEMAKER_AUTH_METHOD, "NONE");
        WorkerFiles files = new WorkerFiles(conf, arguments);
        files.announce();
        SubmittedTopology spec = SubmittedTopology.read(conf, arguments.topologyId());
        ClusterStateContext context = new ClusterStateContext(DaemonType.WORKER, spec.conf());
        IStateStorage storage = ClusterUtils.mkStateStorage(conf, spec.conf(), context);
        IStormClusterState state = ClusterUtils.mkStormClusterState(storage, null, context);
        return new ClusterConnection(conf, arguments, files, spec, storage, state);
    }

    /** Reads the topology's assignment from the Supervisor, or else from ZooKeeper; empty if it is no longer assigned. */
    Optional<Schedule> schedule() {
        Assignment assignment;
        try (SupervisorIfaceFactory supervisor = connectToSupervisor()) {
            assignment = supervisor.getIface().getLocalAssignmentForStorm(arguments.topologyId());
        } catch (Exception e) {
            LOG.debug("cannot read the assignment from the Supervisor", e);
            assignment = state.remoteAssignmentInfo(arguments.topologyId(), null);
        }
        Set<Integer> tasks = spec.componentOfTask().keySet();
        return Optional.ofNullable(assignment).map(current -> Schedule.of(current, tasks));
    }

    int seconds(String key) {
        return ObjectReader.getInt(conf.get(key));
    }

    void disconnect() {
        state.removeWorkerHeartbeat(arguments.topologyId(), arguments.node(), (long) arguments.port());
        state.disconnect();
        storage.close();
    }

    private SupervisorIfaceFactory connectToSupervisor() throws UnknownHostException {
        return SupervisorClient.Builder.withConf(spec.conf())
                .withHostName(Utils.hostname())
                .withPort(arguments.supervisorPort())
                .createSupervisorClient();
    }

    /** Returns the version of the topology's assignment in ZooKeeper, which grows with each assignment; 0 if there is none. */
    int version() throws Exception {
        Integer version = state.assignmentVersion(arguments.topologyId(), null);
        return version == null ? 0 : version;
    }

    void onNewAssignment(Runnable action) throws Exception {
        state.assignmentVersion(arguments.topologyId(), action);
    }

    /** Sends a heartbeat to Nimbus, through the Supervisor or else directly. */
    void sendHeartbeat(LSWorkerHeartbeat beat) throws Exception {
        SupervisorWorkerHeartbeat passed = WorkerHeartbeats.forNimbus(beat);
        try (SupervisorIfaceFactory supervisor = connectToSupervisor()) {
            supervisor.getIface().sendSupervisorWorkerHeartbeat(passed);
        } catch (Exception e) {
            LOG.debug("cannot send a heartbeat through the Supervisor", e);
            try (NimbusClient nimbus =
                    NimbusClient.Builder.withConf(spec.conf()).build()) {
                nimbus.getClient().sendSupervisorWorkerHeartbeat(passed);
            }
        }
    }

    /**
     * A topology as a Supervisor has downloaded it. The topology includes those of Storm's system components that this engine runs
     * too; the tasks are those of all components, with Nimbus' numbers.
     */
    record SubmittedTopology(
            String name, Map<String, Object> conf, StormTopology topology, Map<Integer, String> componentOfTask) {
        static SubmittedTopology read(Map<String, Object> supervisors, String topologyId)
                throws IOException, InvalidTopologyException {
            Map<String, Object> conf = LegacyNames.inConf(ConfigUtils.overrideLoginConfigWithSystemProperty(
                    ConfigUtils.readSupervisorStormConf(supervisors, topologyId)));
            // Workers may always write to Pacemaker, as in Storm (STORM-3728).
            conf.put(Config.PACEMAKER_AUTH_METHOD, "NONE");
            StormTopology submitted =
                    ConfigUtils.readSupervisorTopology(supervisors, topologyId, AdvancedFSOps.make(supervisors));
            return new SubmittedTopology(
                    String.valueOf(conf.get(Config.TOPOLOGY_NAME)),
                    conf,
                    SystemComponents.addTo(submitted, conf),
                    new TreeMap<>(StormCommon.stormTaskInfo(submitted, conf)));
        }
    }

    /**
     * The command line arguments of a worker, as given by a Supervisor: the topology's id, the Supervisor's id and Thrift port, the
     * port of the worker's slot, and Storm's id of this start of the worker.
     */
    record WorkerArguments(String topologyId, String node, int supervisorPort, int port, String workerId) {
        private static final int COUNT = 5;

        static WorkerArguments parse(String[] args) {
            if (args.length != COUNT) {
                throw new IllegalArgumentException("a Storm Supervisor starts this worker, with 5 arguments: topology,"
                        + " supervisor, its port, port, worker; there are " + args.length);
            }
            try {
                return new WorkerArguments(
                        args[0], args[1], Integer.parseInt(args[2]), Integer.parseInt(args[3]), args[4]);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("a port is not a number: " + e.getMessage(), e);
            }
        }

        SupervisorSlot slot() {
            return new SupervisorSlot(node, port);
        }
    }
}
