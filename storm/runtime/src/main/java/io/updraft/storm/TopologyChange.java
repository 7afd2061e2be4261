package io.updraft.storm;

import java.util.Map;
import java.util.OptionalInt;

/**
 * The changes that a rebalance makes in a topology that runs in other processes.
 *
 * @param executors the numbers of executors by component; a component that is not named keeps its number
 * @param workers the number of workers; empty if it stays
 * @param conf the changed settings; a value may be null, as in a configuration
 */
public record TopologyChange(Map<String, Integer> executors, OptionalInt workers, Map<String, Object> conf) {
    /**
     * {@return a change of executors only}
     *
     * @param executors the numbers of executors by component
     */
    public static TopologyChange ofExecutors(Map<String, Integer> executors) {
        return new TopologyChange(executors, OptionalInt.empty(), Map.of());
    }
}
