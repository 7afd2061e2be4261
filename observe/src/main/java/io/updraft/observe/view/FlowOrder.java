package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Orders components along the streams: by the length of the longest path from a spout, then by name. Back edges of a cycle do not
 * count.
 */
public final class FlowOrder {
    private final Map<String, Set<String>> targets = new TreeMap<>();
    private final Set<String> visited = new HashSet<>();
    private final Deque<String> beforeTargets = new ArrayDeque<>();

    private FlowOrder(EngineSnapshot snapshot) {
        for (EdgeSnapshot edge : snapshot.edges()) {
            targets.computeIfAbsent(edge.from(), source -> new TreeSet<>()).add(edge.to());
        }
    }

    public static List<ComponentSnapshot> of(EngineSnapshot snapshot) {
        Map<String, Integer> distances = new FlowOrder(snapshot).distances(snapshot);
        return snapshot.components().stream()
                .sorted(Comparator.comparingInt((ComponentSnapshot component) -> distances.get(component.id()))
                        .thenComparing(ComponentSnapshot::id))
                .toList();
    }

    /** {@return the components that tuples of a component may reach, itself included} */
    static Set<String> downstream(EngineSnapshot snapshot, String component) {
        FlowOrder flow = new FlowOrder(snapshot);
        flow.visit(component);
        return flow.visited;
    }

    private Map<String, Integer> distances(EngineSnapshot snapshot) {
        snapshot.components().stream().filter(ComponentSnapshot::spout).forEach(spout -> visit(spout.id()));
        snapshot.components().forEach(component -> visit(component.id()));
        Map<String, Integer> distances = new HashMap<>();
        Set<String> passed = new HashSet<>();
        for (String source : beforeTargets) {
            passed.add(source);
            int next = distances.computeIfAbsent(source, spout -> 0) + 1;
            for (String to : targets.getOrDefault(source, Set.of())) {
                if (!passed.contains(to)) {
                    distances.merge(to, next, Math::max);
                }
            }
        }
        return distances;
    }

    // Depth first: each component comes before its targets, except along back edges.
    private void visit(String component) {
        if (visited.add(component)) {
            targets.getOrDefault(component, Set.of()).forEach(this::visit);
            beforeTargets.addFirst(component);
        }
    }
}
