package io.updraft.cluster.supervised;

import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.SupervisorClient;
import org.apache.storm.utils.SupervisorIfaceFactory;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The worker's Supervisor, with ZooKeeper and Nimbus as fallbacks while it is down. */
record SupervisorConnection(Map<String, Object> conf, WorkerArguments arguments, IStormClusterState state) {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisorConnection.class);

    private SupervisorIfaceFactory connect() throws UnknownHostException {
        return SupervisorClient.Builder.withConf(conf)
                .withHostName(Utils.hostname())
                .withPort(arguments.supervisorPort())
                .createSupervisorClient();
    }

    /** Reads the topology's assignment from the Supervisor, or else from ZooKeeper; empty if it is no longer assigned. */
    Optional<Assignment> assignment() {
        try (SupervisorIfaceFactory supervisor = connect()) {
            return Optional.of(supervisor.getIface().getLocalAssignmentForStorm(arguments.topologyId()));
        } catch (Exception e) {
            LOG.debug("cannot read the assignment from the Supervisor", e);
            return Optional.ofNullable(state.remoteAssignmentInfo(arguments.topologyId(), null));
        }
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
        SupervisorWorkerHeartbeat passed =
                new SupervisorWorkerHeartbeat(beat.get_topology_id(), beat.get_executors(), beat.get_time_secs());
        try (SupervisorIfaceFactory supervisor = connect()) {
            supervisor.getIface().sendSupervisorWorkerHeartbeat(passed);
        } catch (Exception e) {
            LOG.debug("cannot send a heartbeat through the Supervisor", e);
            try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
                nimbus.getClient().sendSupervisorWorkerHeartbeat(passed);
            }
        }
    }
}
