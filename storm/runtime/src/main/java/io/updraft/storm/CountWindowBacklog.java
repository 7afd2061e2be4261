package io.updraft.storm;

import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.storm.Config;

/**
 * Explains a drain that cannot finish: tuples in count windows. Only further tuples push them out of the window, and only then
 * are they acked. They time out, as in Storm when a topology is deactivated.
 */
public final class CountWindowBacklog {

    private CountWindowBacklog() {}

    /**
     * {@return the numbers of tuples that bolts hold in count windows, as one line for users; empty when no tree waits for them}
     *
     * @param engine runs a topology whose spouts emit no more
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
                ? Optional.of("waits for tuples that are held in count windows: " + keepers
                        + "; no further tuples come, so they will time out"
                        + " (" + Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS + ")")
                : Optional.empty();
    }

    private static long held(ComponentSnapshot bolt) {
        return bolt.executed() - bolt.acked() - bolt.failed();
    }

    private static boolean countsTuples(Plan plan, String bolt) {
        return plan.component(bolt).conf().get(Config.TOPOLOGY_BOLTS_WINDOW_LENGTH_COUNT) != null;
    }
}
