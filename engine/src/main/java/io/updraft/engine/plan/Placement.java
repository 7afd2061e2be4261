package io.updraft.engine.plan;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;

/**
 * Chooses the event loop on which each executor starts. A component with at least as many executors as there are loops is
 * spread over all loops. A component with fewer executors starts on the loop of its input, because passing a tuple within a
 * loop costs a fraction of passing it between loops. The {@code Balancer} corrects the placement later, according to the load.
 */
final class Placement {

    private final Map<String, ComponentCommon> commons;
    private final Map<String, Integer> executors;
    private final int loops;
    private final Map<String, Integer> firstLoop = new HashMap<>();

    /** Places the executors of one worker, of which the number is given by component. */
    Placement(Map<String, ComponentCommon> commons, Map<String, Integer> executors, int loops) {
        this.commons = commons;
        this.executors = executors;
        this.loops = loops;
        int next = 0;
        for (String component : commons.keySet()) {
            if (commons.get(component).get_inputs().isEmpty()) {
                firstLoop.put(component, next);
                next = (next + executors.getOrDefault(component, 0)) % loops;
            }
        }
        // With as many rounds as there are components, every component that is reachable from a source gets a loop.
        for (int round = 0; round < commons.size(); round++) {
            commons.forEach(this::follow);
        }
    }

    private void follow(String component, ComponentCommon common) {
        if (firstLoop.containsKey(component)) {
            return;
        }
        for (GlobalStreamId input : common.get_inputs().keySet()) {
            Integer loop = firstLoop.get(input.get_componentId());
            if (loop != null) {
                firstLoop.put(component, loop);
                return;
            }
        }
    }

    /** Returns the loop of an executor by its position among the executors of its component that the worker runs. */
    int loopOf(String component, int executor) {
        int count = executors.getOrDefault(component, 0);
        int first = firstLoop.getOrDefault(component, 0);
        if (count < loops) {
            return (first + executor) % loops;
        }
        return (int) ((long) executor * loops / count);
    }
}
