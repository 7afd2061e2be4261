package io.updraft.cli.run;

import io.updraft.cli.view.Sample;
import io.updraft.cli.view.Summary;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.NotAliveException;

/** The topologies of one run, those that are gone included. Safe to use from any thread. */
final class Topologies {
    private final UpdraftCluster cluster;
    private final Map<String, WatchedTopology> alive = new LinkedHashMap<>();
    private final List<WatchedTopology> all = new ArrayList<>();

    Topologies(UpdraftCluster cluster) {
        this.cluster = cluster;
    }

    /** Looks which topologies came and went. {@return whether one is alive} */
    synchronized boolean discover() {
        List<String> names = cluster.topologyNames();
        alive.keySet().retainAll(names);
        for (String name : names) {
            if (!alive.containsKey(name)) {
                add(name);
            }
        }
        return !alive.isEmpty();
    }

    private void add(String name) {
        try {
            WatchedTopology topology = new WatchedTopology(name, cluster.engine(name));
            alive.put(name, topology);
            all.add(topology);
        } catch (NotAliveException e) {
            // It was quicker than we are.
        }
    }

    synchronized boolean anySeen() {
        return !all.isEmpty();
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

    /** Asks the spouts for no more and waits for what is in flight. {@return whether nothing was left in time} */
    boolean drain(Duration limit) throws InterruptedException {
        List<WatchedTopology> draining;
        synchronized (this) {
            draining = List.copyOf(alive.values());
        }
        long deadline = System.nanoTime() + limit.toNanos();
        draining.forEach(topology -> topology.engine().deactivate());
        boolean clean = true;
        for (WatchedTopology topology : draining) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            if (!topology.engine().awaitIdle(left)) {
                topology.keep();
                clean = false;
            }
        }
        return clean;
    }

    synchronized List<String> summary() {
        List<String> lines = new ArrayList<>();
        all.forEach(topology ->
                lines.addAll(Summary.of(topology.name(), topology.last(), topology.workers(), ZoneId.systemDefault())));
        return lines;
    }
}
