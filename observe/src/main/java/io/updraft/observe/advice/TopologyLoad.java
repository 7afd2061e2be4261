package io.updraft.observe.advice;

import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The load of a topology over an interval.
 *
 * @param seconds the length of the interval
 * @param loops number of event loops of all workers
 * @param busiestLoop the busy share of the busiest loop
 * @param overhead the time that loops have spent outside user code, as a share of the interval, summed over loops
 * @param cpu CPU time of the processes that run the topology, in cores
 * @param inFlight tuple trees in flight, on average
 * @param heldBack the share of the interval in which back-pressure held the spouts back
 * @param maxPending the largest number of tuple trees in flight ({@code topology.max.spout.pending}); 0 if there is no limit
 */
record TopologyLoad(
        double seconds,
        List<ComponentLoad> components,
        Map<String, List<String>> targets,
        int loops,
        double busiestLoop,
        double overhead,
        int cores,
        double cpu,
        double inFlight,
        double heldBack,
        long maxPending) {

    /** {@return the messages that the spouts have emitted per second} */
    double messages() {
        return components.stream()
                .filter(ComponentLoad::spout)
                .mapToDouble(ComponentLoad::calls)
                .sum();
    }

    ComponentLoad component(String id) {
        return components.stream()
                .filter(component -> component.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** {@return the time in user code of the components that run on event loops, as a share of the interval} */
    static double attached(List<ComponentLoad> components) {
        return components.stream()
                .filter(component -> !component.ownThreads())
                .mapToDouble(ComponentLoad::busy)
                .sum();
    }

    /** {@return the components that subscribe to each component} */
    static Map<String, List<String>> targets(EngineSnapshot snapshot) {
        Map<String, List<String>> targets = new HashMap<>();
        snapshot.components()
                .forEach(component -> targets.put(
                        component.id(),
                        snapshot.edges().stream()
                                .filter(edge -> edge.from().equals(component.id()))
                                .map(EdgeSnapshot::to)
                                .distinct()
                                .toList()));
        return targets;
    }
}
