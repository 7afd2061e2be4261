package io.updraft.engine.testing;

import java.util.List;
import java.util.Map;

/**
 * The result of one simulation.
 *
 * @param seed the seed
 * @param workers number of workers
 * @param hash the hash of all events
 * @param violations the violations; the first one matters most
 * @param events counts of rare events
 * @param log the last events, if a log was kept
 */
public record SimResult(
        long seed, int workers, long hash, List<String> violations, Map<SimEvent, Integer> events, String log) {

    public boolean holds() {
        return violations.isEmpty();
    }

    /** Says what is wrong and how to see it again. */
    public String describe() {
        return "seed " + seed + ": " + violations.get(0) + "\n    ./mvnw -q test -pl engine"
                + " -Dtest=" + (workers == 1 ? "SimulationTest" : "WorkersSimulationTest")
                + "#shouldReplayOneSeed -Dupdraft.seed=" + seed;
    }
}
