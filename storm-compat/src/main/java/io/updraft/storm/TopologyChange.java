package io.updraft.storm;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What a rebalance changes in a topology that runs in other processes.
 *
 * @param executors the numbers of executors by component; a component that is not named keeps its number
 * @param workers the number of workers; empty if it stays
 * @param conf what replaces settings of its configuration; a value may be null, as in a configuration
 */
public record TopologyChange(Map<String, Integer> executors, OptionalInt workers, Map<String, Object> conf) {

    /**
     * Copies what it is given.
     *
     * @param executors the numbers of executors by component
     * @param workers the number of workers; empty if it stays
     * @param conf what replaces settings of its configuration
     */
    public TopologyChange {
        executors = Map.copyOf(executors);
        conf = Collections.unmodifiableMap(new HashMap<>(conf));
    }

    /**
     * Makes one of numbers of executors alone.
     *
     * @param executors the numbers by component
     * @return the change
     */
    public static TopologyChange ofExecutors(Map<String, Integer> executors) {
        return new TopologyChange(executors, OptionalInt.empty(), Map.of());
    }
}
