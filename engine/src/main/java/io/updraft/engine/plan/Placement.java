package io.updraft.engine.plan;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.GlobalStreamId;

/**
 * The first guess at which executors share a loop: a component with at least as many executors as there are loops is
 * spread over all of them; one with fewer starts where its input comes from, since a hand-over within a loop costs a
 * fraction of one between loops. What the guess gets wrong is corrected as load shows.
 */
final class Placement {

    private final Map<String, ComponentCommon> commons;
    private final Map<String, Integer> executors;
    private final int loops;
    private final Map<String, Integer> firstLoop = new HashMap<>();

    /**
     * Places the executors of one worker.
     *
     * @param commons the components by id
     * @param executors how many executors of each component the worker runs
     * @param loops its event loops
     */
    Placement(Map<String, ComponentCommon> commons, Map<String, Integer> executors, int loops) {
        this.commons = commons;
        this.executors = executors;
        this.loops = loops;
        int next = 0;
        for (String component : commons.keySet()) {
            if (commons.get(component).get_inputs().isEmpty()) {
                firstLoop.put(component, next);
                next = (next + executors.get(component)) % loops;
            }
        }
        // As many rounds as components reach every component that can be reached from a source.
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

    /**
     * Places an executor.
     *
     * @param component its component
     * @param executor its position among the executors of that component that this worker runs
     * @return the loop
     */
    int loopOf(String component, int executor) {
        int count = executors.get(component);
        int first = firstLoop.getOrDefault(component, 0);
        if (count < loops) {
            return (first + executor) % loops;
        }
        return (int) ((long) executor * loops / count);
    }
}
