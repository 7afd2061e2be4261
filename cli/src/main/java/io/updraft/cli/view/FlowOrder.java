package io.updraft.cli.view;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Orders components as tuples meet them: by their distance from the spouts, then by name. */
final class FlowOrder {
    private FlowOrder() {}

    static List<ComponentSnapshot> of(EngineSnapshot snapshot) {
        Map<String, Integer> distances = distances(snapshot);
        return snapshot.components().stream()
                .sorted(Comparator.comparingInt((ComponentSnapshot component) ->
                                distances.getOrDefault(component.id(), Integer.MAX_VALUE))
                        .thenComparing(ComponentSnapshot::id))
                .toList();
    }

    private static Map<String, Integer> distances(EngineSnapshot snapshot) {
        Map<String, Integer> distances = new HashMap<>();
        Queue<String> reached = new ArrayDeque<>();
        for (ComponentSnapshot component : snapshot.components()) {
            if (component.spout()) {
                distances.put(component.id(), 0);
                reached.add(component.id());
            }
        }
        while (!reached.isEmpty()) {
            String from = reached.remove();
            for (EdgeSnapshot edge : snapshot.edges()) {
                if (edge.from().equals(from) && distances.putIfAbsent(edge.to(), distances.get(from) + 1) == null) {
                    reached.add(edge.to());
                }
            }
        }
        return distances;
    }
}
