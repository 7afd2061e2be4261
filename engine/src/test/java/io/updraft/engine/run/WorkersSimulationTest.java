package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.SimEvent;
import io.updraft.engine.testing.SimResult;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs random topologies on two or three workers with connections that delay and break, while workers stop, die and return;
 * each run is checked against the {@link SimModel}. {@code -Dupdraft.seeds} says how many the long test runs.
 */
@ExtendWith(SilentErrors.class)
@Tag("one-jdk")
class WorkersSimulationTest {

    private static final int EVERYDAY_SEEDS = 200;
    private static final int MANY_SEEDS = Integer.getInteger("updraft.seeds", 300);

    @Test
    void shouldKeepEveryPromiseWhateverBecomesOfWorkersAndConnections() {
        Map<SimEvent, Long> provoked = new EnumMap<>(SimEvent.class);
        assertThat(Simulation.failures(1, EVERYDAY_SEEDS, WorkersSimulationTest::workers, provoked))
                .isEmpty();
        assertThat(provoked.getOrDefault(SimEvent.ABANDONED, 0L))
                .as("runs given up because nested calls waited for each other")
                .isLessThanOrEqualTo(EVERYDAY_SEEDS / 100);
        Set<SimEvent> missing = new TreeSet<>(EnumSet.complementOf(EnumSet.of(
                SimEvent.ABANDONED,
                // Not with several workers.
                SimEvent.REBALANCED,
                SimEvent.REBALANCE_GIVEN_UP,
                SimEvent.FAILED_OPEN,
                SimEvent.FAILED_BY_REBALANCE)));
        missing.removeAll(provoked.keySet());
        assertThat(missing)
                .as("what the simulation is there to provoke and did not")
                .isEmpty();
    }

    @Test
    @Tag("long")
    void shouldKeepEveryPromiseThroughThousandsOfDeathsAndLosses() {
        Map<SimEvent, Long> provoked = new EnumMap<>(SimEvent.class);
        assertThat(Simulation.failures(EVERYDAY_SEEDS + 1, MANY_SEEDS, WorkersSimulationTest::workers, provoked))
                .isEmpty();
        assertThat(provoked.getOrDefault(SimEvent.ABANDONED, 0L)).isLessThanOrEqualTo(MANY_SEEDS / 100);
    }

    private static int workers(long seed) {
        return seed % 2 == 0 ? 2 : 3;
    }

    /** Runs the seed that {@code -Dupdraft.seed} names, and shows the end of its log if it fails. */
    @Test
    void shouldReplayOneSeed() {
        long seed = Long.getLong("updraft.seed", 1);
        SimResult result = Simulation.run(seed, true, workers(seed));

        assertThat(result.violations()).as(result.log()).isEmpty();
    }

    @Test
    void shouldDoTheSameTwiceForTheSameSeed() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(Simulation.run(seed, false, workers(seed)).hash())
                    .as("seed %d", seed)
                    .isEqualTo(Simulation.run(seed, true, workers(seed)).hash());
        }
    }
}
