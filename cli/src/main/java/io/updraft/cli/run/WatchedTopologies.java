package io.updraft.cli.run;

import io.updraft.cli.view.RunSummary;
import io.updraft.cluster.local.LocalWorkers;
import io.updraft.console.operator.RunTopologies;
import io.updraft.console.operator.Target;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.RunningCode;
import io.updraft.observe.advice.Advice;
import io.updraft.observe.advice.LoadWindow;
import io.updraft.observe.death.HeapWatch;
import io.updraft.observe.history.Histories;
import io.updraft.observe.history.TopologyRecorder;
import io.updraft.observe.inspection.ThreadOwners;
import io.updraft.observe.process.FullHeap;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.HotKeyJudge;
import io.updraft.observe.view.TopologySample;
import io.updraft.storm.CountWindowBacklog;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.storm.generated.NotAliveException;

/** The topologies of one run, including ended ones. Safe to use from any thread. */
final class WatchedTopologies implements ThreadOwners, RunTopologies {
    /** The time after which a drain that still runs reports why. */
    private static final Duration QUIET_DRAIN = Duration.ofSeconds(1);

    private final UpdraftCluster cluster;
    private final Map<TopologyEngine, WatchedTopology> alive = new LinkedHashMap<>();
    private final List<WatchedTopology> all = new ArrayList<>();
    private final List<String> takeEndSummaries = new ArrayList<>();
    private final Histories histories = new Histories();
    private final boolean forgetsEnded;
    private final Duration loadSpan;
    private final BooleanSupplier draining;
    private boolean anySeen;

    /** The end of the last {@link #sample()}, by {@link System#nanoTime()}. */
    private volatile long sampledNanos = System.nanoTime();

    /**
     * Watches the topologies of a cluster. For a server, whose run has no planned end, the summary of an ended topology is made at
     * once and the topology forgotten. Advice comes from the load over the span. The last argument tells whether the run drains its
     * topologies.
     */
    WatchedTopologies(UpdraftCluster cluster, boolean forgets, Duration loadSpan, BooleanSupplier draining) {
        this.cluster = cluster;
        this.forgetsEnded = forgets;
        this.loadSpan = loadSpan;
        this.draining = draining;
    }

    /** Finds new and ended topologies, also in clusters that the program has made. {@return whether a topology is alive} */
    synchronized boolean discover() {
        Map<TopologyEngine, Target> running = running();
        alive.values().removeIf(topology -> isGone(topology, running));
        running.forEach((engine, target) -> alive.computeIfAbsent(engine, added -> add(target, added)));
        return !alive.isEmpty();
    }

    /** Returns the running topologies in the order of submission. Different clusters may have topologies of the same name. */
    private Map<TopologyEngine, Target> running() {
        Map<TopologyEngine, Target> running = new LinkedHashMap<>();
        for (UpdraftCluster each : cluster.clusters()) {
            for (String name : each.topologyNames()) {
                try {
                    running.put(each.engine(name), new Target(name, each, name));
                } catch (NotAliveException e) {
                    // The topology has ended since its name was read.
                }
            }
        }
        return running;
    }

    /** Returns whether a topology has ended; a new one may have its name. An ended topology is forgotten if so configured. */
    private boolean isGone(WatchedTopology topology, Map<TopologyEngine, Target> running) {
        if (running.containsKey(topology.engine())) {
            return false;
        }
        topology.end();
        if (forgetsEnded) {
            takeEndSummaries.addAll(summary(topology));
            all.remove(topology);
        }
        return true;
    }

    /** {@return the summaries of forgotten topologies; each is returned once} */
    synchronized List<String> takeEndSummaries() {
        List<String> summaries = List.copyOf(takeEndSummaries);
        takeEndSummaries.clear();
        return summaries;
    }

    private WatchedTopology add(Target found, TopologyEngine engine) {
        Set<String> names = alive.values().stream().map(WatchedTopology::name).collect(Collectors.toSet());
        String name = TopologySample.uniqueName(found.submittedName(), names);
        WatchedTopology topology = new WatchedTopology(
                new Target(name, found.cluster(), found.submittedName()),
                engine,
                loadSpan,
                new TopologyRecorder(histories, name));
        all.add(topology);
        anySeen = true;
        return topology;
    }

    /**
     * Reports a thread's call of {@code System.exit}. {@return whether a running topology owns the thread; that topology dies}
     */
    boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        discover();
        return alive().stream().anyMatch(topology -> topology.engine().exitCalled(thread, stack));
    }

    private synchronized List<WatchedTopology> alive() {
        return List.copyOf(alive.values());
    }

    synchronized boolean anySeen() {
        return anySeen;
    }

    /** Takes a snapshot of each topology. One thread calls this regularly; all others get the latest samples. */
    void sample() {
        alive().forEach(WatchedTopology::sample);
        sampledNanos = System.nanoTime();
    }

    /** {@return the names of the living topologies, in the order of submission} */
    List<String> names() {
        return alive().stream().map(WatchedTopology::name).toList();
    }

    /** {@return the worker processes of all topologies} */
    List<WorkerStatus> workers() {
        return alive().stream().flatMap(topology -> topology.workers().stream()).toList();
    }

    /** Restarts the worker that is a process. {@return whether there is one} The second argument says who has asked for it. */
    boolean restart(long pid, String by) {
        return alive().stream()
                .anyMatch(topology -> topology.engine() instanceof LocalWorkers workers && workers.restart(pid, by));
    }

    /** {@return the samples of the last hour, of ended topologies too} */
    Histories histories() {
        return histories;
    }

    /** {@return the time since the last sample of all topologies; does not wait} */
    Duration sinceSample() {
        return Duration.ofNanos(System.nanoTime() - sampledNanos);
    }

    @Override
    public List<Target> living() {
        discover();
        return alive().stream().map(topology -> topology.target).toList();
    }

    /** {@return the state of each topology over the interval between the last two samples} */
    @Override
    public List<TopologySample> latest() {
        return alive().stream()
                .map(topology -> topology.latest(state(topology)))
                .toList();
    }

    /** {@inheritDoc} A server forgets its ended topologies. */
    @Override
    public synchronized List<Ended> ended() {
        return all.stream()
                .filter(topology -> !alive.containsKey(topology.engine()))
                .map(topology -> new Ended(topology.ended(), topology.engine()))
                .toList();
    }

    @Override
    public Set<String> endedNames() {
        return histories.endedNames();
    }

    /** {@return the state of each topology since the last call, for the view} */
    List<TopologySample> sinceLastView() {
        return alive().stream()
                .map(topology -> topology.sinceLastView(state(topology)))
                .toList();
    }

    @Override
    public Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        Map<Thread, RunningCode> components = new HashMap<>();
        alive().forEach(topology -> components.putAll(topology.engine().codeOf(stacks)));
        return components;
    }

    @Override
    public Map<String, Set<String>> componentClasses() {
        Map<String, Set<String>> classes = new TreeMap<>();
        alive().forEach(topology -> topology.engine()
                .componentClasses()
                .forEach((component, names) -> classes.computeIfAbsent(component, id -> new TreeSet<>())
                        .addAll(names)));
        return classes;
    }

    @Override
    public Set<String> componentNames() {
        return alive().stream()
                .flatMap(topology -> topology.engine().plan().components().stream())
                .map(ComponentPlan::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private String state(WatchedTopology topology) {
        if (topology.engine().death() != null) {
            return "dead";
        }
        if (topology.engine().isActive()) {
            return "running";
        }
        return draining.getAsBoolean() ? "draining" : "inactive";
    }

    /** Deactivates the spouts and waits until no tuple is in flight. A line is reported when count windows hold tuples, so that the wait
     * cannot succeed. {@return whether no tuple was left in flight within the limit} */
    boolean drain(Duration limit, Consumer<String> report) throws InterruptedException {
        List<WatchedTopology> leaving = alive();
        long deadline = System.nanoTime() + limit.toNanos();
        leaving.forEach(topology -> topology.engine().deactivate());
        boolean clean = true;
        for (WatchedTopology topology : leaving) {
            if (!drain(topology, deadline, report)) {
                topology.keep();
                clean = false;
            }
        }
        return clean;
    }

    private static boolean drain(WatchedTopology topology, long deadline, Consumer<String> report)
            throws InterruptedException {
        TopologyEngine engine = topology.engine();
        Duration left = until(deadline);
        if (engine.awaitIdle(left.compareTo(QUIET_DRAIN) < 0 ? left : QUIET_DRAIN)) {
            return true;
        }
        CountWindowBacklog.of(engine).ifPresent(line -> report.accept("topology '" + topology.name() + "' " + line));
        return engine.awaitIdle(until(deadline));
    }

    private static Duration until(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    synchronized List<String> summary() {
        return all.stream().flatMap(topology -> summary(topology).stream()).toList();
    }

    /** {@return lines on the tuple trees that were in flight at the end and are lost} */
    synchronized List<String> lost() {
        return all.stream()
                .flatMap(topology -> RunSummary.ofLost(topology.name(), topology.last()).stream())
                .toList();
    }

    private static List<String> summary(WatchedTopology topology) {
        return RunSummary.of(topology.name(), topology.last(), topology.workers(), ZoneId.systemDefault());
    }

    /** One topology of the run, from its discovery on. Keeps its state after its end. */
    private static final class WatchedTopology {
        private final Target target;
        private final TopologyEngine engine;
        private final TopologyRecorder recorder;
        private EngineSnapshot before;
        private EngineSnapshot now;
        private EngineSnapshot viewed;

        /** The worst latencies of each component in the samples that the view has not shown. */
        private final Map<String, LatencySummary> execute = new HashMap<>();

        private final Map<String, LatencySummary> complete = new HashMap<>();
        private final LoadWindow load;
        private final HotKeyJudge judge = new HotKeyJudge();
        private List<HotKey> hotKeys = List.of();
        private Advice advice;
        private EngineSnapshot stateAtDrainLimit;

        WatchedTopology(Target target, TopologyEngine engine, Duration loadSpan, TopologyRecorder recorder) {
            this.target = target;
            this.engine = engine;
            this.recorder = recorder;
            load = new LoadWindow(loadSpan, Runtime.getRuntime().availableProcessors());
        }

        String name() {
            return target.name();
        }

        TopologyEngine engine() {
            return engine;
        }

        /** {@return the worker processes of the topology; empty if the topology runs in this process} */
        List<WorkerStatus> workers() {
            return engine instanceof LocalWorkers workers ? workers.statuses() : List.of();
        }

        private FullHeap full() {
            return engine instanceof LocalWorkers ? null : HeapWatch.full();
        }

        synchronized void sample() {
            before = now;
            now = engine.snapshot();
            List<WorkerStatus> workers = workers();
            load.add(now, ProcessCpu.nanos(workers));
            hotKeys = judge.judge(now);
            advice = load.advice(engine.plan(), hotKeys).orElse(null);
            recorder.add(now, workers);
            for (ComponentSnapshot component : now.components()) {
                execute.merge(component.id(), component.executeLatency(), (old, next) -> next.after(old));
                complete.merge(component.id(), component.completeLatency(), (old, next) -> next.after(old));
            }
        }

        synchronized TopologySample latest(String state) {
            if (now == null) {
                sample();
            }
            return new TopologySample(name(), state, before, now, workers(), full(), hotKeys, advice);
        }

        synchronized TopologySample sinceLastView(String state) {
            if (now == null || now == viewed) {
                sample();
            }
            EngineSnapshot begin = viewed;
            viewed = now;
            TopologySample sample = new TopologySample(
                    name(), state, begin, withUnviewedLatencies(), workers(), full(), hotKeys, advice);
            execute.clear();
            complete.clear();
            return sample;
        }

        private EngineSnapshot withUnviewedLatencies() {
            List<ComponentSnapshot> components = now.components().stream()
                    .map(component ->
                            component.withLatencies(execute.get(component.id()), complete.get(component.id())))
                    .toList();
            return now.withComponents(components);
        }

        synchronized TopologySample ended() {
            return new TopologySample(name(), "ended", null, last(), workers(), null, List.of(), null);
        }

        synchronized void end() {
            recorder.end();
        }

        /** Keeps the present state as the last one, so that the summary shows the tuples in flight before the topology is cut off. */
        synchronized void keep() {
            stateAtDrainLimit = engine.snapshot();
        }

        synchronized EngineSnapshot last() {
            return stateAtDrainLimit != null ? stateAtDrainLimit : engine.snapshot();
        }
    }
}
