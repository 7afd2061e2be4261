package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.SimEvent;
import io.updraft.engine.testing.SimResult;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs random topologies under random interleavings, each checked against the {@link SimModel}. {@code -Dupdraft.seeds} says how many
 * the long test runs.
 */
@ExtendWith(SilentErrors.class)
@Tag("one-jdk")
class SimulationTest {

    private static final int EVERYDAY_SEEDS = 200;
    private static final int MANY_SEEDS = Integer.getInteger("updraft.seeds", 1_000);

    @Test
    void shouldKeepEveryPromiseUnderAnyInterleaving() {
        Map<SimEvent, Long> provoked = new EnumMap<>(SimEvent.class);
        assertThat(Simulation.failures(1, EVERYDAY_SEEDS, seed -> 1, provoked)).isEmpty();
        assertThat(provoked.getOrDefault(SimEvent.ABANDONED, 0L))
                .as("runs given up because nested calls waited for each other")
                .isLessThanOrEqualTo(EVERYDAY_SEEDS / 100);
        provoked.remove(SimEvent.ABANDONED);
        assertThat(provoked.keySet())
                .as("what the simulation is there to provoke")
                .isEqualTo(EnumSet.range(SimEvent.LOOP_STOLEN, SimEvent.JOINED));
    }

    @Test
    @Tag("long")
    void shouldKeepEveryPromiseUnderThousandsOfInterleavings() {
        Map<SimEvent, Long> provoked = new EnumMap<>(SimEvent.class);
        assertThat(Simulation.failures(EVERYDAY_SEEDS + 1, MANY_SEEDS, seed -> 1, provoked))
                .isEmpty();
        assertThat(provoked.getOrDefault(SimEvent.ABANDONED, 0L)).isLessThanOrEqualTo(MANY_SEEDS / 100);
    }

    /** Runs the seed that {@code -Dupdraft.seed} names, and shows the end of its log if it fails. */
    @Test
    void shouldReplayOneSeed() {
        SimResult result = Simulation.run(Long.getLong("updraft.seed", 1), true, 1);

        assertThat(result.violations()).as(result.log()).isEmpty();
    }

    @Test
    void shouldDoTheSameTwiceForTheSameSeed() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(Simulation.run(seed).hash())
                    .as("seed %d", seed)
                    .isEqualTo(Simulation.run(seed, true, 1).hash());
        }
    }

    @Test
    void shouldDoSomethingElseForEachSeed() {
        List<Long> hashes = LongStream.rangeClosed(1, 50)
                .mapToObj(seed -> Simulation.run(seed).hash())
                .toList();

        assertThat(hashes).doesNotHaveDuplicates();
    }
}
