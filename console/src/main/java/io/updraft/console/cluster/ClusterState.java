package io.updraft.console.cluster;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.history.Histories;
import io.updraft.observe.history.RateRecorder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.TopologySummary;

/** The state of a cluster as all pages see it: the newest answers of Nimbus, the rates made of them, and their history. */
final class ClusterState implements SampledReads.Listener, AutoCloseable {
    /** The number of topologies whose rates are recorded while nobody asks. */
    static final int MAX_RECORDED = 200;

    /** The version that Updraft's validator gives to topologies, so that Supervisors start Updraft's worker. */
    /** The versions that the validator on Nimbus gives to topologies of Updraft's workers. */
    private static final Pattern UPDRAFT_VERSION = Pattern.compile("\\d+\\.999\\..*");

    /** The only supervisor of a run of Updraft that serves as Nimbus. */
    private static final String UPDRAFT_SUPERVISOR = "updraft";

    /** Says of a topology that it has Updraft's workers. */
    static final String UPDRAFT = "updraft";

    private static final long HISTORY_PERIOD = TimeUnit.SECONDS.toNanos(10);
    private static final long JITTER = TimeUnit.SECONDS.toNanos(1);

    private final NimbusCaller caller;
    private final Histories histories;
    private final Map<String, Track> tracks = new ConcurrentHashMap<>();
    private final SampledReads reads;

    /** The newest answer; written by the sampler's thread. */
    private volatile ClusterSummary newest;

    /**
     * Starts the reads.
     *
     * @param patience how long a question waits for Nimbus
     */
    ClusterState(NimbusCaller caller, ClusterSummary first, Histories histories, Duration patience) {
        this.caller = caller;
        this.newest = first;
        this.histories = histories;
        this.reads = new SampledReads(caller, this, patience);
    }

    /** What is remembered of a topology. Written by the sampler's thread. */
    private final class Track {
        private final Rates.Window window;
        private RateRecorder recorder;
        private long recorded;
        private volatile TopologySampled newest;

        Track(boolean isImmediate) {
            window = new Rates.Window(isImmediate);
        }

        void add(TopologyReading reading) {
            newest = new TopologySampled(reading, window.add(reading));
            if (recorder == null) {
                recorder = new RateRecorder(histories, reading.info().get_name());
                recorded = reading.nanos() - HISTORY_PERIOD;
            }
            long passed = reading.nanos() - recorded;
            if (passed >= HISTORY_PERIOD - JITTER) {
                recorded = reading.nanos();
                recorder.add(reading.millis(), passed / 1e9, newest.figures());
            }
        }

        void end() {
            if (recorder != null) {
                recorder.end();
            }
        }
    }

    @Override
    public void onRead(Object answer) {
        if (answer instanceof TopologyReading reading) {
            tracks.computeIfAbsent(reading.topologyId(), id -> new Track(isRunOfUpdraft()))
                    .add(reading);
        } else if (answer instanceof ClusterSummary cluster) {
            newest = cluster;
            Set<String> ids = new HashSet<>();
            cluster.get_topologies().forEach(topology -> ids.add(topology.get_id()));
            tracks.entrySet().removeIf(track -> {
                boolean ended = !ids.contains(track.getKey());
                if (ended) {
                    track.getValue().end();
                }
                return ended;
            });
        }
    }

    @Override
    public List<NimbusCall<?>> background() {
        List<NimbusCall<?>> calls = new ArrayList<>();
        calls.add(new ClusterCalls.Cluster());
        newest.get_topologies().stream()
                .limit(MAX_RECORDED)
                .forEach(topology -> calls.add(new ClusterCalls.Topology(topology.get_id())));
        return calls;
    }

    ClusterSummary cluster() throws IOException, InterruptedException {
        return reads.get(new ClusterCalls.Cluster());
    }

    <T> T read(NimbusCall<T> call) throws IOException, InterruptedException {
        return reads.get(call);
    }

    <T> T order(NimbusCall<T> call) throws IOException {
        return caller.order(call);
    }

    TopologySummary summary(JsonObject request) throws IOException, InterruptedException {
        String name = request.text("topology");
        return cluster().get_topologies().stream()
                .filter(topology -> topology.get_name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no topology '" + name + "'"));
    }

    /** Returns the newest sample of a topology. */
    TopologySampled sample(TopologySummary topology) throws IOException, InterruptedException {
        TopologyReading reading = reads.get(new ClusterCalls.Topology(topology.get_id()));
        Track track = tracks.get(topology.get_id());
        if (track == null) {
            throw new IllegalArgumentException("there is no topology '" + topology.get_name() + "' any more");
        }
        TopologySampled sampled = track.newest;
        return sampled == null ? new TopologySampled(reading, new Rates(0, Map.of())) : sampled;
    }

    /** {@return the newest sample of a topology, if there is one; asks for none} */
    Optional<TopologySampled> latest(TopologySummary topology) {
        return Optional.ofNullable(tracks.get(topology.get_id())).map(track -> track.newest);
    }

    /** {@return whether Nimbus is a run of Updraft, not Storm's} */
    boolean isRunOfUpdraft() {
        return newest.get_supervisors().stream()
                .anyMatch(supervisor -> supervisor.get_supervisor_id().equals(UPDRAFT_SUPERVISOR));
    }

    /** {@return whether a slot of the cluster is free} */
    boolean hasFreeSlots() {
        return newest.get_supervisors().stream()
                .anyMatch(supervisor -> supervisor.get_num_used_workers() < supervisor.get_num_workers());
    }

    /** {@return whose workers a topology has: {@code updraft} or {@code storm}} */
    String workersOf(TopologySummary topology) {
        String version = topology.get_storm_version();
        return isRunOfUpdraft()
                        || version != null && UPDRAFT_VERSION.matcher(version).matches()
                ? UPDRAFT
                : "storm";
    }

    @Override
    public void close() {
        reads.close();
    }
}
