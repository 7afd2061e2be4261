package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.observe.view.TopologySample;
import java.util.List;
import java.util.Set;

/** The topologies of a run, living and ended ones. The name of each is unique among the living ones. Safe to use from any thread. */
public interface RunTopologies {
    /** Returns the living topologies, also of clusters that the program has made. */
    List<Target> living();

    /** Returns the latest sample of each living topology. */
    List<TopologySample> latest();

    /** Returns the ended topologies whose last state is kept. */
    List<Ended> ended();

    /** Returns the names of ended topologies, as long as there is a history of them. A living one may have the same name. */
    Set<String> endedNames();

    /** An ended topology: its last sample, and the engine that has run it. */
    record Ended(TopologySample last, TopologyEngine engine) {}

    /** Finds the living topology that the member {@code topology} names; it may be missing if there is only one. */
    default Target target(JsonObject request) {
        String name = name(request);
        List<Target> all = living();
        List<Target> chosen = all.stream()
                .filter(target -> name == null || name.equals(target.name()))
                .toList();
        if (chosen.size() == 1) {
            return chosen.get(0);
        }
        if (name != null) {
            throw missing(name);
        }
        String names = String.join(", ", all.stream().map(Target::name).toList());
        throw new IllegalArgumentException(
                all.isEmpty()
                        ? "no topology is alive in this run"
                        : "the run has several topologies; add --run NAME: " + names);
    }

    /** Returns the latest sample of the topology that a request names; those of all living ones if it names none. */
    default List<TopologySample> samples(JsonObject request) {
        String name = name(request);
        List<TopologySample> chosen = latest().stream()
                .filter(sample -> name == null || name.equals(sample.name()))
                .toList();
        if (name != null && chosen.isEmpty()) {
            throw missing(name);
        }
        return chosen;
    }

    /** Returns the ended topologies that a request is about: those of the name, or all, provided that no living one fits. */
    default List<Ended> endedOnly(JsonObject request) {
        String name = name(request);
        boolean anyAlive = latest().stream().anyMatch(sample -> name == null || name.equals(sample.name()));
        return anyAlive
                ? List.of()
                : ended().stream()
                        .filter(topology ->
                                name == null || name.equals(topology.last().name()))
                        .toList();
    }

    private static String name(JsonObject request) {
        return request.get("topology") instanceof String name ? name : null;
    }

    private IllegalArgumentException missing(String name) {
        return new IllegalArgumentException(
                endedNames().contains(name)
                        ? "topology '" + name + "' has ended"
                        : "there is no topology '" + name + "'");
    }
}
