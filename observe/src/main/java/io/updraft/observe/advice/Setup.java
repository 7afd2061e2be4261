package io.updraft.observe.advice;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What may be changed of a topology.
 *
 * @param spread components whose hot keys are spread over all executors, which takes a change of the program
 * @param maxPending the largest number of tuple trees in flight; 0 if there is no limit
 */
record Setup(Map<String, Integer> executors, Set<String> spread, int loops, long maxPending) {

    static Setup of(TopologyLoad load) {
        Map<String, Integer> executors = new HashMap<>();
        load.components().forEach(component -> executors.put(component.id(), component.executors()));
        return new Setup(executors, Set.of(), load.loops(), load.maxPending());
    }

    Setup with(String component, int number) {
        Map<String, Integer> changed = new HashMap<>(executors);
        changed.put(component, number);
        return new Setup(changed, spread, loops, maxPending);
    }

    Setup withSpreadKeys(String component) {
        Set<String> changed = new HashSet<>(spread);
        changed.add(component);
        return new Setup(executors, changed, loops, maxPending);
    }

    Setup withLoops(int number) {
        return new Setup(executors, spread, number, maxPending);
    }

    Setup withMaxPending(long limit) {
        return new Setup(executors, spread, loops, limit);
    }
}
