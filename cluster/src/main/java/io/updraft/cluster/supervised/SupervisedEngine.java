package io.updraft.cluster.supervised;

import io.updraft.cluster.link.LinkOptions;
import io.updraft.cluster.supervised.ClusterConnection.SubmittedTopology;
import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import io.updraft.cluster.worker.WorkerEngine;
import io.updraft.cluster.worker.WorkerSpec;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.storm.WorkerStatistics;
import io.updraft.storm.context.TopologyContexts;
import io.updraft.storm.context.WorkerPlace;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.security.SecurityConf;
import io.updraft.transport.session.PeerIdentity;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;

/**
 * The engine of a supervised worker, with the settings that the cluster may change while it runs. Safe to use from any thread.
 */
final class SupervisedEngine implements AutoCloseable {
    /** The listen address of Storm's workers: all addresses of their host. */
    private static final String ANYWHERE = "0.0.0.0";

    /** Storm's default for the sampling of tuples to the event logger, percent. */
    private static final double SAMPLING_PERCENT = 10;

    private static final int START_BITS = 32;
    private static final long DRAIN_STEP_MILLIS = 20;
    private static final long STILL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final WorkerPosition place;
    private final WorkerEngine engine;
    private final TopologyContexts contexts;
    private final WorkerPlace.Slot slot;
    private final WorkerStatistics statistics;
    private Map<String, DebugOptions> debug = Map.of();
    private LogConfig logLevels = new LogConfig();
    private Schedule newest;
    private boolean ending;

    /**
     * A worker in its cluster. The version of the topology's assignment grows with each assignment; the number of the worker's start
     * grows with each start in the same slot.
     */
    record WorkerPosition(
            ClusterConnection cluster, Schedule schedule, Schedule.ScheduledWorker self, int version, long start) {
        int number() {
            return schedule.numberOf(self);
        }

        /** Returns a number that grows with every start of the worker, independently of the hosts' clocks. */
        long incarnation() {
            return (long) version << START_BITS | start;
        }
    }

    private SupervisedEngine(
            WorkerPosition place, WorkerEngine engine, TopologyContexts contexts, WorkerPlace.Slot slot) {
        this.place = place;
        this.engine = engine;
        this.contexts = contexts;
        this.slot = slot;
        this.statistics = new WorkerStatistics(engine.plan(), place.number());
    }

    static SupervisedEngine start(
            WorkerPosition place,
            Map<String, String> credentials,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath,
            Consumer<Throwable> onLinkFailure)
            throws IOException, TransportException {
        SubmittedTopology spec = place.cluster().spec();
        WorkerArguments arguments = place.cluster().arguments();
        Schedule schedule = place.schedule();
        int number = place.number();
        WorkerPlace.Slot slot = slotOf(place);
        TopologyContexts contexts = new TopologyContexts(new WorkerPlace(number, arguments.port(), Optional.of(slot)));
        contexts.setCredentials(credentials);
        Map<String, Object> conf = confOf(place);
        String id = arguments.topologyId();
        // To the link, another grouping of executors is another topology: its batches cannot be decoded here.
        PeerIdentity self = new PeerIdentity(id + "/" + schedule.grouping(), number, place.incarnation());
        WorkerEngine engine = WorkerEngine.start(
                new WorkerSpec(
                        spec.name(),
                        id,
                        spec.topology(),
                        conf,
                        schedule.assignment(spec.componentOfTask()),
                        number,
                        1 + (int) (place.start() % WorkerOptions.LAST_INCARNATION),
                        id.hashCode() + number,
                        contexts,
                        new LinkOptions(
                                conf,
                                self,
                                SecurityConf.credentials(conf),
                                schedule.hosts().get(arguments.node()),
                                new Address(ANYWHERE, arguments.port()))),
                onError,
                onDeath,
                onLinkFailure);
        SupervisedEngine started = new SupervisedEngine(place, engine, contexts, slot);
        started.setSchedule(schedule);
        return started;
    }

    private static WorkerPlace.Slot slotOf(WorkerPosition place) throws IOException {
        ClusterConnection cluster = place.cluster();
        return new WorkerPlace.Slot(
                cluster.arguments().node(),
                cluster.spec().componentOfTask(),
                Schedule.tasksOf(place.self()),
                cluster.files().resources(),
                cluster.files().pids(),
                new ConcurrentHashMap<>(
                        cluster.files().blobVersions(cluster.spec().conf())),
                new AtomicReference<>(place.schedule().slots()),
                new AtomicReference<>(place.schedule().hosts()));
    }

    /** Divides the host's cores among this topology's workers on it. A slot has one port, so there is only one transport. */
    private static Map<String, Object> confOf(WorkerPosition place) {
        Map<String, Object> conf = new HashMap<>(place.cluster().spec().conf());
        int cores = Runtime.getRuntime().availableProcessors();
        long workers = place.schedule().workersOn(place.cluster().arguments().node());
        conf.putIfAbsent(EngineSettings.LOOPS, (int) Math.max(1, cores / workers));
        conf.put(TransportNames.LOCAL, TransportNames.of(conf).remote());
        return conf;
    }

    WorkerPosition place() {
        return place;
    }

    WorkerEngine engine() {
        return engine;
    }

    synchronized void setSchedule(Schedule now) {
        if (!now.equals(newest)) {
            newest = now;
            slot.taskToNodePort().set(now.slots());
            slot.nodeToHost().set(now.hosts());
            engine.setPeers(place.schedule().peersIn(now));
        }
    }

    synchronized void stopSpouts() {
        ending = true;
        engine.setActive(false);
    }

    /**
     * Stops the spouts and waits for tuples in flight. The wait ends when nothing is in flight, when the time is up, or when no
     * count has changed for a while, for example because a bolt holds tuples back.
     */
    void drain(long millis) {
        stopSpouts();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long counted = -1;
        long changedNanos = 0;
        try {
            for (long now = System.nanoTime();
                    now - deadline < 0 && !engine.traffic().quiet();
                    now = System.nanoTime()) {
                long count = engine.snapshot().components().stream()
                        .mapToLong(component -> component.executed() + component.acked() + component.failed())
                        .sum();
                if (count != counted) {
                    counted = count;
                    changedNanos = now;
                } else if (now - changedNanos >= STILL_NANOS) {
                    return;
                }
                Thread.sleep(DRAIN_STEP_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Applies the topology's state in Nimbus; null if the topology is gone. */
    synchronized void follow(StormBase base) {
        engine.setActive(!ending && base != null && base.get_status() == TopologyStatus.ACTIVE);
        if (base != null && base.is_set_component_debug()) {
            debug = base.get_component_debug().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, each -> complete(each.getValue())));
            engine.settings().set(logLevels, debug);
        }
    }

    private static DebugOptions complete(DebugOptions options) {
        DebugOptions complete = options.deepCopy();
        complete.set_enable(options.is_set_enable() && options.is_enable());
        complete.set_samplingpct(options.is_set_samplingpct() ? options.get_samplingpct() : SAMPLING_PERCENT);
        return complete;
    }

    synchronized void setLogLevels(LogConfig levels) {
        logLevels = levels == null ? new LogConfig() : levels;
        engine.settings().set(logLevels, debug);
    }

    void setCredentials(Map<String, String> credentials) {
        contexts.setCredentials(credentials);
    }

    void setBlobVersions(Map<String, Long> versions) {
        slot.blobVersions().putAll(versions);
    }

    void remember() {
        statistics.record(engine.snapshot());
    }

    Map<ExecutorInfo, ExecutorStats> statistics(ExecutorInfo system) {
        EngineSnapshot snapshot = engine.snapshot();
        Set<ExecutorInfo> elsewhere = place.self().executors().stream()
                .filter(executor -> isStorms(executor.get_task_start()))
                .collect(Collectors.toSet());
        elsewhere.add(system);
        return statistics.of(snapshot, elsewhere);
    }

    /** Whether a task exists only in Storm and not in this engine, such as an acker. */
    private boolean isStorms(int task) {
        int[] executors = engine.plan().taskToExecutor();
        return task >= executors.length || executors[task] < 0;
    }

    @Override
    public void close() {
        engine.close();
    }
}
