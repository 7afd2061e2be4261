package io.updraft.storm;

import io.updraft.engine.TopologyEngine;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.Plan;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.storm.Config;

/**
 * What a drain waits for in vain: tuples in a window of counts. Only more tuples would have them leave it, and only then are they
 * acked; so they time out, as in Storm when a topology is deactivated.
 */
public final class HeldInWindows {

    private HeldInWindows() {}

    /**
     * Looks for tuples in windows of counts, of a topology whose spouts emit no more.
     *
     * @param engine the topology
     * @return who keeps how many, for people, on one line; nothing when no tree waits for them
     */
    public static Optional<String> of(TopologyEngine engine) {
        EngineSnapshot now = engine.snapshot();
        Plan plan = engine.plan();
        String keepers = now.components().stream()
                .filter(bolt -> !bolt.spout() && held(bolt) > 0 && countsTuples(plan, bolt.id()))
                .map(bolt -> "'" + bolt.id() + "' (" + held(bolt) + ")")
                .collect(Collectors.joining(", "));
        boolean waits = now.inFlightTrees() > 0 && !keepers.isEmpty();
        return waits
                ? Optional.of("waits for tuples that windows of counts keep until more tuples come: " + keepers
                        + "; none will, so that they time out (" + Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS + ")")
                : Optional.empty();
    }

    private static long held(ComponentSnapshot bolt) {
        return bolt.executed() - bolt.acked() - bolt.failed();
    }

    private static boolean countsTuples(Plan plan, String bolt) {
        return plan.component(bolt).conf().get(Config.TOPOLOGY_BOLTS_WINDOW_LENGTH_COUNT) != null;
    }
}
