package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes that are killed at any step, and units that move between them at any step, against the sums of what is in the log. One seed
 * is one interleaving; {@code -Dupdraft.seed} replays one.
 */
final class RunSimulationTest {

    private static final int SEEDS = Integer.getInteger("updraft.seeds", 400);
    private static final int MOST_STEPS = 200_000;

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldGiveTheSumsOfTheLogHoweverProcessesDie(boolean keyed, boolean transactional) throws Exception {
        for (int seed : seeds()) {
            try {
                run(new Random(seed), keyed, transactional);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static int[] seeds() {
        Integer only = Integer.getInteger("updraft.seed");
        return only == null ? IntStream.range(0, SEEDS).toArray() : new int[] {only};
    }

    private static void run(Random random, boolean keyed, boolean transactional) throws Exception {
        World world = new World(random, 1 + random.nextInt(4), 120, !keyed);
        int kills = random.nextInt(5);
        Process process = start(world, random, keyed, transactional);
        int until = random.nextInt(2_000);
        for (int step = 0; !process.isDone(); step++) {
            assertThat(step).as("steps").isLessThan(MOST_STEPS);
            try {
                process.step();
            } catch (SinkException failed) {
                process = start(world, random, keyed, transactional);
            }
            if (kills > 0 && step >= until) {
                kills--;
                until = step + random.nextInt(2_000);
                process = start(world, random, keyed, transactional);
            }
        }
        assertThat(world.results).isEqualTo(world.expected());
        assertThat(world.appended).isEqualTo(world.expected());
        assertThat(world.repeated).as("appended twice").isEmpty();
        if (transactional) {
            assertThat(world.rewritten).isEmpty();
        }
    }

    private static Process start(World world, Random random, boolean keyed, boolean transactional) throws Exception {
        Process process = new Process(world, random, keyed, transactional, 1 + random.nextInt(3));
        world.groups().forEach(group -> own(world, process, group));
        return process;
    }

    private static void own(World world, Process process, int group) {
        Source.Claim claim = new Source.Claim() {
            @Override
            public void released() {
                // Nobody waits for it here.
            }
        };
        for (String unit : world.unitsOf(group)) {
            world.owners.put(unit, process);
            world.claims.put(unit, claim);
            process.own(unit, claim);
        }
    }

    @Test
    void shouldGiveTheSumsOfTheLogHoweverUnitsMoveBetweenProcesses() throws Exception {
        for (int seed : seeds()) {
            for (boolean transactional : new boolean[] {true, false}) {
                try {
                    move(new Random(seed), transactional);
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private static void move(Random random, boolean transactional) throws Exception {
        World world = new World(random, 4, 120, false);
        world.endless = true;
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(new Process(world, random, true, transactional, 1 + random.nextInt(2)));
        }
        for (int group : world.groups()) {
            own(world, processes.get(random.nextInt(3)), group);
        }
        int moves = random.nextInt(8);
        for (int step = 0; step < 40_000; step++) {
            int index = random.nextInt(3);
            try {
                processes.get(index).step();
            } catch (SinkException fenced) {
                processes.set(index, restart(world, random, processes.get(index), transactional));
            }
            if (moves > 0 && random.nextInt(400) == 0) {
                moves--;
                move(world, random.nextInt(2), processes.get(random.nextInt(3)), random.nextBoolean());
            }
        }
        assertThat(world.results).isEqualTo(world.expected());
        assertThat(world.appended).isEqualTo(world.expected());
        if (transactional) {
            assertThat(world.rewritten).isEmpty();
        }
    }

    /** The old owner hears of it before the new one begins, or not at all. */
    private static void move(World world, int group, Process next, boolean told) {
        for (String unit : world.unitsOf(group)) {
            if (told) {
                world.owners.get(unit).disown(unit);
            }
            next.disown(unit);
        }
        own(world, next, group);
    }

    private static Process restart(World world, Random random, Process dead, boolean transactional) throws Exception {
        Process process = new Process(world, random, true, transactional, 1 + random.nextInt(2));
        for (int group : world.groups()) {
            if (world.owners.get(world.unitsOf(group).get(0)) == dead) {
                own(world, process, group);
            }
        }
        return process;
    }
}
