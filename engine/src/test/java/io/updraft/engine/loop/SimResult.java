package io.updraft.engine.loop;

import java.util.List;
import java.util.Map;

/**
 * What came of one simulation.
 *
 * @param seed which
 * @param workers number of workers
 * @param hash of all that happened
 * @param violations promises that were broken; the first is the one to look at
 * @param events how often what is rare happened
 * @param log the last things that happened, if a log was kept
 */
record SimResult(
        long seed, int workers, long hash, List<String> violations, Map<SimEvent, Integer> events, String log) {

    boolean holds() {
        return violations.isEmpty();
    }

    /** Says what is wrong and how to see it again. */
    String describe() {
        return "seed " + seed + ": " + violations.get(0) + "\n    ./mvnw -q test -pl engine"
                + " -Dtest=" + (workers == 1 ? "SimulationTest" : "WorkersSimulationTest")
                + "#shouldReplayOneSeed -Dupdraft.seed=" + seed;
    }
}
