package io.updraft.cli.run;

import io.updraft.cli.view.Sample;
import io.updraft.cli.view.Summary;
import io.updraft.engine.TopologyEngine;
import io.updraft.storm.HeldInWindows;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.NotAliveException;

/** The topologies of one run, those that are gone included. Safe to use from any thread. */
final class Topologies {
    /** How long a drain may take without a word. */
    private static final Duration QUIET_DRAIN = Duration.ofSeconds(1);

    private final UpdraftCluster cluster;
    private final Map<TopologyEngine, WatchedTopology> alive = new LinkedHashMap<>();
    private final List<WatchedTopology> all = new ArrayList<>();
    private final List<String> farewells = new ArrayList<>();
    private final boolean forgets;
    private boolean anySeen;

    /**
     * Begins to watch a cluster.
     *
     * @param cluster the cluster
     * @param forgets whether what is gone is summed up at once and forgotten, since no end of the run is in sight
     */
    Topologies(UpdraftCluster cluster, boolean forgets) {
        this.cluster = cluster;
        this.forgets = forgets;
    }

    /** Looks which topologies came and went, those of clusters of the program's own too. {@return whether one is alive} */
    synchronized boolean discover() {
        Map<TopologyEngine, String> running = running();
        alive.values().removeIf(topology -> isGone(topology, running));
        running.forEach((engine, name) -> alive.computeIfAbsent(engine, added -> add(name, added)));
        return !alive.isEmpty();
    }

    /** In the order of submission; there may be several of one name, in different clusters. */
    private Map<TopologyEngine, String> running() {
        Map<TopologyEngine, String> running = new LinkedHashMap<>();
        for (UpdraftCluster each : cluster.clusters()) {
            for (String name : each.topologyNames()) {
                try {
                    running.put(each.engine(name), name);
                } catch (NotAliveException e) {
                    // It was quicker than we are.
                }
            }
        }
        return running;
    }

    /** Whether a topology is gone, another of its name perhaps there already; then it may be forgotten. */
    private boolean isGone(WatchedTopology topology, Map<TopologyEngine, String> running) {
        if (running.containsKey(topology.engine())) {
            return false;
        }
        if (forgets) {
            farewells.addAll(summary(topology));
            all.remove(topology);
        }
        return true;
    }

    /** {@return what is to be said of topologies that are gone and forgotten; once} */
    synchronized List<String> farewells() {
        List<String> said = List.copyOf(farewells);
        farewells.clear();
        return said;
    }

    private WatchedTopology add(String name, TopologyEngine engine) {
        WatchedTopology topology = new WatchedTopology(name, engine);
        all.add(topology);
        anySeen = true;
        return topology;
    }

    /** Whether a thread that has asked for an exit runs code of one that is alive, which has died of it then. */
    boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        discover();
        List<WatchedTopology> living;
        synchronized (this) {
            living = List.copyOf(alive.values());
        }
        return living.stream().anyMatch(topology -> topology.engine().exitCalled(thread, stack));
    }

    synchronized boolean anySeen() {
        return anySeen;
    }

    /** {@return the state of those alive} */
    synchronized List<Sample> look(boolean draining) {
        return alive.values().stream()
                .map(topology -> topology.look(state(topology, draining)))
                .toList();
    }

    private static String state(WatchedTopology topology, boolean draining) {
        if (topology.engine().isActive()) {
            return "running";
        }
        return draining ? "draining" : "inactive";
    }

    /**
     * Asks the spouts for no more and waits for what is in flight.
     *
     * @param tell gets a line when that is in vain
     * @return whether nothing was left in time
     */
    boolean drain(Duration limit, Consumer<String> tell) throws InterruptedException {
        List<WatchedTopology> draining;
        synchronized (this) {
            draining = List.copyOf(alive.values());
        }
        long deadline = System.nanoTime() + limit.toNanos();
        draining.forEach(topology -> topology.engine().deactivate());
        boolean clean = true;
        for (WatchedTopology topology : draining) {
            if (!drain(topology, deadline, tell)) {
                topology.keep();
                clean = false;
            }
        }
        return clean;
    }

    private static boolean drain(WatchedTopology topology, long deadline, Consumer<String> tell)
            throws InterruptedException {
        TopologyEngine engine = topology.engine();
        Duration left = until(deadline);
        if (engine.awaitIdle(left.compareTo(QUIET_DRAIN) < 0 ? left : QUIET_DRAIN)) {
            return true;
        }
        HeldInWindows.of(engine).ifPresent(line -> tell.accept("topology '" + topology.name() + "' " + line));
        return engine.awaitIdle(until(deadline));
    }

    private static Duration until(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    synchronized List<String> summary() {
        List<String> lines = new ArrayList<>();
        all.forEach(topology -> lines.addAll(summary(topology)));
        return lines;
    }

    /** {@return what was in flight at the end, and is lost} */
    synchronized List<String> lost() {
        return all.stream()
                .flatMap(topology -> Summary.ofLost(topology.name(), topology.last()).stream())
                .toList();
    }

    private static List<String> summary(WatchedTopology topology) {
        return Summary.of(topology.name(), topology.last(), topology.workers(), ZoneId.systemDefault());
    }
}
