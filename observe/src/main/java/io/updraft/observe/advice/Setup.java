package io.updraft.observe.advice;

import java.util.HashMap;
import java.util.Map;

/**
 * What may be changed of a topology.
 *
 * @param executors number of executors of each component
 * @param loops number of event loops
 * @param maxPending the largest number of tuple trees in flight; 0 if there is no limit
 */
record Setup(Map<String, Integer> executors, int loops, long maxPending) {

    static Setup of(TopologyLoad load) {
        Map<String, Integer> executors = new HashMap<>();
        load.components().forEach(component -> executors.put(component.id(), component.executors()));
        return new Setup(executors, load.loops(), load.maxPending());
    }

    Setup with(String component, int number) {
        Map<String, Integer> changed = new HashMap<>(executors);
        changed.put(component, number);
        return new Setup(changed, loops, maxPending);
    }

    Setup withLoops(int number) {
        return new Setup(executors, number, maxPending);
    }

    Setup withMaxPending(long limit) {
        return new Setup(executors, loops, limit);
    }
}
