package io.updraft.cluster.supervised;

import io.updraft.cluster.worker.WorkerEngine;
import io.updraft.cluster.worker.WorkerSpec;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.Settings;
import io.updraft.storm.TopologyContexts;
import io.updraft.storm.WorkerPlace;
import io.updraft.storm.WorkerStatistics;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.security.SecurityConf;
import io.updraft.transport.session.Peer;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;

/** The engine of a supervised worker, with what the cluster may change while it runs. Safe to use from any thread. */
final class ClusterEngine implements AutoCloseable {

    /** Where Storm's workers listen: on all addresses of their host. */
    private static final String ANYWHERE = "0.0.0.0";

    /** What Storm takes if nobody says how much is sent to the event logger, percent. */
    private static final double SAMPLING_PERCENT = 10;

    private static final int START_BITS = 32;

    private final Place place;
    private final WorkerEngine engine;
    private final TopologyContexts contexts;
    private final WorkerPlace.Slot slot;
    private final WorkerStatistics statistics;
    private Map<String, DebugOptions> debug = Map.of();
    private LogConfig logLevels = new LogConfig();
    private Schedule newest;
    private boolean ending;

    /**
     * What the worker runs.
     *
     * @param cluster where it runs
     * @param schedule all workers of the topology
     * @param self this one
     * @param version which of the topology's assignments is followed; grows with each
     * @param start tells this start of the worker from those before it in the same slot; grows with each
     */
    record Place(Cluster cluster, Schedule schedule, Schedule.Worker self, int version, long start) {

        int number() {
            return schedule.numberOf(self);
        }

        /** Names the start among all of the worker's, whatever the clocks of the hosts say. */
        long incarnation() {
            return (long) version << START_BITS | start;
        }
    }

    private ClusterEngine(Place place, WorkerEngine engine, TopologyContexts contexts, WorkerPlace.Slot slot) {
        this.place = place;
        this.engine = engine;
        this.contexts = contexts;
        this.slot = slot;
        this.statistics = new WorkerStatistics(engine.plan(), place.number());
    }

    static ClusterEngine start(
            Place place,
            Map<String, String> credentials,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath,
            Consumer<Throwable> onLinkFailure)
            throws IOException, TransportException {
        ClusterSpec spec = place.cluster().spec();
        WorkerPlace.Slot slot = slotOf(place);
        TopologyContexts contexts = new TopologyContexts(
                new WorkerPlace(place.number(), place.cluster().arguments().port(), Optional.of(slot)));
        contexts.setCredentials(credentials);
        Map<String, Object> conf = confOf(place);
        String host = place.schedule().hosts().get(place.cluster().arguments().node());
        String id = place.cluster().arguments().topologyId();
        WorkerEngine engine = WorkerEngine.start(
                new WorkerSpec(
                        spec.name(),
                        id,
                        spec.topology(),
                        conf,
                        place.schedule().assignment(spec.componentOfTask()),
                        place.number(),
                        1 + (int) (place.start() % WorkerOptions.LAST_INCARNATION),
                        id.hashCode() + place.number(),
                        contexts,
                        new WorkerSpec.Link(
                                // Another grouping of executors is another topology to the link: its batches mean
                                // nothing here.
                                new Peer(id + "/" + place.schedule().grouping(), place.number(), place.incarnation()),
                                SecurityConf.credentials(conf),
                                host,
                                new Address(
                                        ANYWHERE, place.cluster().arguments().port()))),
                onError,
                onDeath,
                onLinkFailure);
        ClusterEngine started = new ClusterEngine(place, engine, contexts, slot);
        started.setSchedule(place.schedule());
        return started;
    }

    private static WorkerPlace.Slot slotOf(Place place) throws IOException {
        return new WorkerPlace.Slot(
                place.cluster().arguments().node(),
                place.cluster().spec().componentOfTask(),
                Schedule.tasksOf(place.self()),
                place.cluster().files().resources(),
                place.cluster().files().pids(),
                new ConcurrentHashMap<>(place.cluster()
                        .files()
                        .blobVersions(place.cluster().spec().conf())),
                new AtomicReference<>(place.schedule().slots()),
                new AtomicReference<>(place.schedule().hosts()));
    }

    /** Shares the cores of the host among the workers of this topology there; a slot has one port, and so one transport. */
    private static Map<String, Object> confOf(Place place) {
        Map<String, Object> conf = new HashMap<>(place.cluster().spec().conf());
        int cores = Runtime.getRuntime().availableProcessors();
        long workers = place.schedule().workersOn(place.cluster().arguments().node());
        conf.putIfAbsent(Settings.LOOPS, (int) Math.max(1, cores / workers));
        conf.put(TransportNames.LOCAL, TransportNames.of(conf).remote());
        return conf;
    }

    Place place() {
        return place;
    }

    WorkerEngine engine() {
        return engine;
    }

    /** Tells where the workers are now. */
    synchronized void setSchedule(Schedule now) {
        if (!now.equals(newest)) {
            newest = now;
            slot.taskToNodePort().set(now.slots());
            slot.nodeToHost().set(now.hosts());
            engine.setPeers(place.schedule().peersIn(now));
        }
    }

    /** Stops the spouts for good. */
    synchronized void stopSpouts() {
        ending = true;
        engine.deactivate();
    }

    /** Does what Nimbus says of the topology; null if it is gone. */
    synchronized void follow(StormBase base) {
        if (!ending && base != null && base.get_status() == TopologyStatus.ACTIVE) {
            engine.activate();
        } else {
            engine.deactivate();
        }
        if (base != null && base.is_set_component_debug()) {
            debug = base.get_component_debug().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, each -> complete(each.getValue())));
            engine.switches().set(logLevels, debug);
        }
    }

    private static DebugOptions complete(DebugOptions options) {
        DebugOptions complete = options.deepCopy();
        complete.set_enable(options.is_set_enable() && options.is_enable());
        complete.set_samplingpct(options.is_set_samplingpct() ? options.get_samplingpct() : SAMPLING_PERCENT);
        return complete;
    }

    /** Sets the levels of loggers; null if none were set. */
    synchronized void setLogLevels(LogConfig levels) {
        logLevels = levels == null ? new LogConfig() : levels;
        engine.switches().set(logLevels, debug);
    }

    void setCredentials(Map<String, String> credentials) {
        contexts.setCredentials(credentials);
    }

    void setBlobVersions(Map<String, Long> versions) {
        slot.blobVersions().putAll(versions);
    }

    void remember() {
        statistics.remember(engine.snapshot());
    }

    /** Returns the statistics of all executors that are assigned to the worker, and of the system's. */
    Map<ExecutorInfo, ExecutorStats> statistics(ExecutorInfo system) {
        EngineSnapshot snapshot = engine.snapshot();
        Set<ExecutorInfo> others = place.self().executors().stream()
                .filter(executor -> isStorms(executor.get_task_start()))
                .collect(Collectors.toSet());
        others.add(system);
        return statistics.of(snapshot, others);
    }

    /** Whether a task is one that Storm has and this engine has not, such as an acker. */
    private boolean isStorms(int task) {
        int[] executors = engine.plan().taskToExecutor();
        return task >= executors.length || executors[task] < 0;
    }

    @Override
    public void close() {
        engine.close();
    }
}
