package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes that are killed at any step, and partitions that move between them at any step, against the sums of what is in the log. One seed
 * is one interleaving; {@code -Dupdraft.seed} replays one.
 */
@Tag("one-jdk")
final class RunSimulationTest {

    private static final int EVERYDAY_SEEDS = 100;
    private static final int MANY_SEEDS = Integer.getInteger("updraft.seeds", 2_000);
    private static final int MOST_STEPS = 200_000;

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldHaveEachRecordOnceHoweverRunsEndAndProcessesDie(boolean keyed, boolean transactional) throws Exception {
        runAll(0, EVERYDAY_SEEDS, keyed, transactional);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldHaveEachRecordOnceThroughThousandsOfEndsAndDeaths(boolean keyed, boolean transactional)
            throws Exception {
        runAll(EVERYDAY_SEEDS, MANY_SEEDS, keyed, transactional);
    }

    private static void runAll(int first, int count, boolean keyed, boolean transactional) throws Exception {
        for (int seed : seeds(first, count)) {
            try {
                run(new Random(seed), keyed, transactional);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static int[] seeds(int first, int count) {
        Integer only = Integer.getInteger("updraft.seed");
        return only == null ? IntStream.range(first, first + count).toArray() : new int[] {only};
    }

    /** Runs one after the other under one name, some of which have an end: the last one, so that all windows are written. */
    private static void run(Random random, boolean keyed, boolean transactional) throws Exception {
        SimulationState world = new SimulationState(random, 1 + random.nextInt(4), 120, !keyed);
        int runs = 1 + random.nextInt(3);
        int wrongClocks = random.nextInt(runs);
        world.clocksDiffer = wrongClocks > 0;
        for (int i = 1; i < runs; i++) {
            Predicate<SimulationState.Entry> ahead =
                    i <= wrongClocks ? entry -> entry.bad() || entry.ahead() : SimulationState.Entry::bad;
            world.unusable = world.lateness == 0 && random.nextInt(4) == 0 ? entry -> true : ahead;
            // With lateness, windows that are not final are written again, perhaps unchanged, if positions are held.
            world.skipsUnusable = world.lateness > 0;
            if (random.nextBoolean()) {
                runToEnd(world, random, keyed, transactional, false);
            } else {
                runOn(world, random, keyed, transactional);
            }
            if (random.nextInt(3) == 0) {
                world.cutOne(random);
            }
        }
        world.unusable = SimulationState.Entry::bad;
        world.skipsUnusable = true;
        runToEnd(world, random, keyed, transactional, true);
        world.checkAside();
        boolean sameAgain = !world.pauses && runs == 1;
        check(world, keyed, transactional, sameAgain);
        if (sameAgain) {
            world.checkEachIsOnce(world.appended);
        }
        if (world.lateness == 0) {
            assertThat(world.repeated).as("appended twice").isEmpty();
        }
    }

    /**
     * Who dies between results and positions writes the results again, and they are the same if nothing is late; if they are not, a
     * record that was late the second time is in the first result too.
     */
    private static void check(SimulationState world, boolean keyed, boolean transactional, boolean sameAgain) {
        // A record that one clock refuses and another takes decides which rows after it are late.
        if (keyed && transactional && !world.clocksDiffer) {
            world.checkLateIsNowhereElse(world.results);
        }
        if (transactional || sameAgain || world.deaths == 0) {
            world.checkEachIsOnce(world.withRefusedGroups());
        }
        world.checkNoneIsLost();
        if (transactional && (world.deaths == 0 || keyed && world.moves)) {
            assertThat(world.unchanged).as("written again unchanged").isEmpty();
        }
        if (transactional && world.lateness == 0) {
            assertThat(world.rewritten).as("written twice").isEmpty();
        }
    }

    /** A run that ends at what is the newest when it begins. */
    private static void runToEnd(
            SimulationState world, Random random, boolean keyed, boolean transactional, boolean all) throws Exception {
        world.grown.putAll(world.more(random, all));
        Map<String, Integer> ends = Map.copyOf(world.grown);
        Supplier process = () -> start(world, random, keyed, transactional, ends);
        Deaths deaths = new Deaths(random);
        SimulatedProcess running = process.get();
        for (int step = 0; !running.isDone(); step++) {
            assertThat(step).as("steps").isLessThan(MOST_STEPS);
            running = step(world, running, process, deaths.isNext(step));
        }
        assertThat(running.partitionsLeft())
                .as("partitions that are not forgotten")
                .isZero();
        world.hasEnded = true;
        world.end();
    }

    /** A run without an end, that is stopped, or killed, some time after it has read all there is. */
    private static void runOn(SimulationState world, Random random, boolean keyed, boolean transactional)
            throws Exception {
        Map<String, Integer> more = world.more(random, false);
        Supplier process = () -> start(world, random, keyed, transactional, null);
        Deaths deaths = new Deaths(random);
        SimulatedProcess running = process.get();
        int quiet = 0;
        int longest = random.nextInt(200);
        for (int step = 0; quiet < longest || !world.grown.equals(more); step++) {
            assertThat(step).as("steps").isLessThan(MOST_STEPS);
            world.grow(random, more);
            running = step(world, running, process, deaths.isNext(step));
            quiet += running.isQuiet() ? 1 : 0;
        }
        if (random.nextBoolean()) {
            running.stop();
            for (int step = 0; !running.isDone(); step++) {
                assertThat(step).as("steps").isLessThan(MOST_STEPS);
                try {
                    running.step();
                } catch (SinkException failed) {
                    world.deaths++;
                    break;
                }
            }
        } else {
            world.deaths++;
        }
        world.settle(random);
    }

    private interface Supplier {
        SimulatedProcess get() throws Exception;
    }

    /** One step; and the process after it, which is another if this one has died. */
    private static SimulatedProcess step(SimulationState world, SimulatedProcess process, Supplier next, boolean dies)
            throws Exception {
        try {
            process.step();
        } catch (SinkException failed) {
            dies = true;
        }
        if (!dies) {
            return process;
        }
        world.deaths++;
        if (process.isBounded()) {
            world.end();
        }
        return next.get();
    }

    /** When a process is killed. */
    private static final class Deaths {
        private final Random random;
        private int left;
        private int next;

        private Deaths(Random random) {
            this.random = random;
            left = random.nextInt(5);
            next = random.nextInt(2_000);
        }

        private boolean isNext(int step) {
            if (left == 0 || step < next) {
                return false;
            }
            left--;
            next = step + random.nextInt(2_000);
            return true;
        }
    }

    private static SimulatedProcess start(
            SimulationState world, Random random, boolean keyed, boolean transactional, Map<String, Integer> ends)
            throws Exception {
        SimulatedProcess process =
                new SimulatedProcess(world, random, keyed, transactional, 1 + random.nextInt(3), ends);
        world.settle(random);
        world.groups().forEach(share -> own(world, process, share));
        return process;
    }

    private static void own(SimulationState world, SimulatedProcess process, int share) {
        RecordSource.Ownership ownership = new RecordSource.Ownership() {
            @Override
            public void released() {
                // Nobody waits for it here.
            }
        };
        for (String partition : world.partitionsOf(share)) {
            world.owners.put(partition, process);
            world.ownerships.put(partition, ownership);
            process.own(partition, ownership);
        }
    }

    /** If shares are not aggregated on their own, one process has all of them. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldHaveEachRecordOnceHoweverPartitionsMoveBetweenProcesses(boolean keyed, boolean transactional)
            throws Exception {
        moveAll(0, EVERYDAY_SEEDS, keyed, transactional);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldHaveEachRecordOnceThroughThousandsOfMoves(boolean keyed, boolean transactional) throws Exception {
        moveAll(EVERYDAY_SEEDS, MANY_SEEDS, keyed, transactional);
    }

    private static void moveAll(int first, int count, boolean keyed, boolean transactional) throws Exception {
        for (int seed : seeds(first, count)) {
            try {
                move(new Random(seed), keyed, transactional);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void move(Random random, boolean keyed, boolean transactional) throws Exception {
        SimulationState world = new SimulationState(random, 4, 120, !keyed);
        world.endless = true;
        world.moves = true;
        Map<String, Integer> all = world.more(random, true);
        List<SimulatedProcess> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(new SimulatedProcess(world, random, keyed, transactional, 1 + random.nextInt(2), all));
        }
        SimulatedProcess sole = processes.get(random.nextInt(3));
        for (int share : world.groups()) {
            own(world, keyed ? processes.get(random.nextInt(3)) : sole, share);
        }
        int moves = random.nextInt(8);
        int handed = 0;
        int rest = 1 + random.nextInt(1_000);
        for (int step = 0; rest > 0; step++) {
            assertThat(step).as("steps").isLessThan(MOST_STEPS);
            rest -= moves == 0 && world.isDone() ? 1 : 0;
            int index = random.nextInt(3);
            world.grow(random, all);
            try {
                processes.get(index).step();
            } catch (SinkException fenced) {
                world.deaths++;
                processes.set(index, restart(world, random, processes.get(index), keyed, transactional, all));
            }
            if (moves > 0 && random.nextInt(400) == 0) {
                moves--;
                handed++;
                world.deaths++;
                List<Integer> moved =
                        keyed ? List.of(random.nextInt(world.groups().size())) : world.groups();
                SimulatedProcess next = processes.get(random.nextInt(3));
                boolean reported = random.nextBoolean();
                moved.forEach(share -> move(world, share, next, reported));
            }
            // What is aggregated together has its last windows written when the input ends, and not before.
            world.endless = keyed && world.within == 0 || moves > 0;
        }
        world.checkAside();
        check(world, keyed, transactional, !world.pauses && handed == 0);
    }

    /** The old owner hears of it before the new one begins, or not at all. */
    private static void move(SimulationState world, int share, SimulatedProcess next, boolean reported) {
        for (String partition : world.partitionsOf(share)) {
            if (reported) {
                world.owners.get(partition).disown(partition);
            }
            next.disown(partition);
        }
        own(world, next, share);
    }

    private static SimulatedProcess restart(
            SimulationState world,
            Random random,
            SimulatedProcess dead,
            boolean keyed,
            boolean transactional,
            Map<String, Integer> all)
            throws Exception {
        SimulatedProcess process =
                new SimulatedProcess(world, random, keyed, transactional, 1 + random.nextInt(2), all);
        world.settle(random);
        for (int share : world.groups()) {
            if (world.owners.get(world.partitionsOf(share).get(0)) == dead) {
                own(world, process, share);
            }
        }
        return process;
    }
}
