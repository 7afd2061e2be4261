package io.updraft.console.cluster;

import io.updraft.base.json.JsonObject;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerSummary;

/** The actions on workers of a cluster. The worker's Supervisor does them within some seconds, and writes files on its host. */
final class WorkerActions {
    private static final int MAX_PROFILE_MILLIS = 3_600_000;

    private final ClusterState state;

    WorkerActions(ClusterState state) {
        this.state = state;
    }

    record Worker(TopologySummary topology, WorkerSummary summary) {
        String name() {
            return ClusterJson.name(summary.get_host(), summary.get_port());
        }

        /** {@return where its Supervisor writes files, for users} */
        String directory() {
            return "workers-artifacts/" + topology.get_id() + "/" + summary.get_port()
                    + " of Storm's log directory on host " + summary.get_host();
        }
    }

    /** Returns the worker that the member {@code process} of a request names by {@code HOST:PORT}. */
    Worker worker(JsonObject request) throws IOException, InterruptedException {
        String name = request.text("process");
        for (TopologySummary topology : state.cluster().get_topologies()) {
            Optional<TopologySampled> sampled = state.latest(topology);
            if (sampled.isPresent()) {
                for (WorkerSummary worker : ClusterJson.workers(sampled.get().reading())) {
                    if (ClusterJson.name(worker.get_host(), worker.get_port()).equals(name)) {
                        return new Worker(topology, worker);
                    }
                }
            }
        }
        throw new IllegalArgumentException("there is no worker '" + name + "'");
    }

    JsonObject heap(JsonObject request) throws Exception {
        Worker worker = worker(request);
        return ask(worker, ProfileAction.JMAP_DUMP, 0, "a heap dump", " in " + worker.directory());
    }

    JsonObject threads(JsonObject request) throws Exception {
        Worker worker = worker(request);
        return ask(worker, ProfileAction.JSTACK_DUMP, 0, "a thread dump", " in " + worker.directory());
    }

    /** Storm's Supervisor starts a recording when it sees the order to stop one in the future. */
    JsonObject profile(JsonObject request) throws Exception {
        Worker worker = worker(request);
        int millis = request.whole("millis");
        if (millis <= 0 || millis > MAX_PROFILE_MILLIS) {
            throw new IllegalArgumentException("'millis' must be from 1 to " + MAX_PROFILE_MILLIS);
        }
        return ask(
                worker,
                ProfileAction.JPROFILE_STOP,
                millis,
                "a recording of " + millis / 1e3 + " s",
                " in " + worker.directory() + ", if worker.profiler.enabled is true there");
    }

    JsonObject restart(JsonObject request) throws Exception {
        Worker worker = worker(request);
        return ask(worker, ProfileAction.JVM_RESTART, 0, "a restart", "; its tuples in flight fail");
    }

    private JsonObject ask(Worker worker, ProfileAction action, int millis, String result, String place)
            throws IOException {
        NodeInfo node = new NodeInfo(worker.summary().get_host(), new HashSet<>(Set.of((long)
                worker.summary().get_port())));
        ProfileRequest profile = new ProfileRequest(node, action);
        profile.set_time_stamp(System.currentTimeMillis() + millis);
        return ClusterActions.done(
                state,
                nimbus -> nimbus.setWorkerProfiler(worker.topology().get_id(), profile),
                "the Supervisor is asked for " + result + " of worker " + worker.name() + place);
    }
}
