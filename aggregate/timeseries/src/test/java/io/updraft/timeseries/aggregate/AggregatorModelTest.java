package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowResult.Emission;
import io.updraft.timeseries.record.RecordRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random rows, windows and times of closing, beside a {@link AggregatorModel}. A failure names the seed that makes it again. */
@Tag("one-jdk")
class AggregatorModelTest {

    private static final int EVERYDAY_RUNS = 10;
    private static final int MANY_RUNS = 100;
    private static final int RUNS_ON_DISK = 10;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldDoWhatTheModelDoes(int tasks) {
        runInMemory(0, EVERYDAY_RUNS, tasks);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Tag("long")
    void shouldDoWhatTheModelDoesForManySeeds(int tasks) {
        runInMemory(EVERYDAY_RUNS, MANY_RUNS, tasks);
    }

    private static void runInMemory(int firstSeed, int runs, int tasks) {
        for (int seed = firstSeed; seed < firstSeed + runs; seed++) {
            run(seed, tasks, null);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldDoTheSameWithGroupsOnDisk(int tasks, @TempDir Path directory) throws IOException {
        runOnDisk(0, 2, tasks, directory);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    @Tag("long")
    void shouldDoTheSameWithGroupsOnDiskForManySeeds(int tasks, @TempDir Path directory) throws IOException {
        runOnDisk(1000, RUNS_ON_DISK, tasks, directory);
    }

    /** Now and then there is a task among the others whose groups all fit into memory. Nothing must be left behind. */
    private static void runOnDisk(int firstSeed, int runs, int tasks, Path directory) throws IOException {
        for (int seed = firstSeed; seed < firstSeed + runs; seed++) {
            run(seed, tasks, directory);
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    private static AggregatorOptions options(RandomQueryCase random, Path directory) {
        return directory == null || random.chance(4)
                ? AggregatorOptions.inMemory()
                : new AggregatorOptions(1 + random.below(12), Long.MAX_VALUE, directory);
    }

    private static void run(int seed, int tasks, Path directory) {
        RandomQueryCase random = new RandomQueryCase(new SplittableRandom(seed));
        Query query = random.query();
        AggregatorModel model = new AggregatorModel(query);
        List<Aggregator> aggregators = new ArrayList<>();
        // On some versions of Java estimates cannot leave memory, and asking for it is refused.
        Path spill = Sketches.canBeBytes() || new GroupLayout(query).sketches == 0 ? directory : null;
        GroupBudget together = new GroupBudget(options(random, spill));
        BudgetPart one = together.share();
        for (int i = 0; i < tasks; i++) {
            BudgetPart share = random.chance(2) ? one : together.share();
            aggregators.add(
                    random.chance(2) ? Aggregators.create(query, options(random, spill)) : share.aggregator(query));
        }
        Map<TimeWindow, List<PartialResult>> latest = new HashMap<>();
        RecordRow row = new RecordRow(query.input());
        for (int i = 0; i < 400; i++) {
            AggregatorModel.Fact fact = random.fact(query);
            AggregatorModel.fill(row, fact, random.chance(2));
            long expected = model.add(fact);
            // Which of two last values with one time came last is known within a task only.
            int task = Math.floorMod(fact.time(), tasks);
            assertThat(aggregators.get(task).add(row, fact.time()))
                    .as("seed %d, row %d", seed, i)
                    .isEqualTo(expected);
            if (random.chance(40)) {
                check(seed, model.close(random.closeTime()), close(aggregators, random.lastClose(), latest));
            } else if (random.chance(60)) {
                check(seed, random, model, aggregators);
            }
        }
        check(seed, model.close(Long.MAX_VALUE), close(aggregators, Long.MAX_VALUE, latest));
        assertThat(aggregators).allSatisfy(aggregator -> {
            assertThat(aggregator.windows()).isZero();
            assertThat(aggregator.groups()).isZero();
            assertThat(aggregator.windows()).isZero();
        });
        aggregators.forEach(Aggregator::close);
    }

    /** Closes windows in all tasks; a task that has nothing new for a window that another one has something for stays with what it said. */
    private static Map<TimeWindow, WindowResult> close(
            List<Aggregator> aggregators, long time, Map<TimeWindow, List<PartialResult>> latest) {
        Map<TimeWindow, Boolean> changed = new HashMap<>();
        for (int task = 0; task < aggregators.size(); task++) {
            for (PartialResult part : aggregators.get(task).closeWindows(time)) {
                List<PartialResult> parts = latest.computeIfAbsent(part.window(), w -> new ArrayList<>());
                while (parts.size() < aggregators.size()) {
                    parts.add(null);
                }
                assertThat(part.emission()).isEqualTo(parts.get(task) == null ? Emission.FINAL : Emission.UPDATE);
                parts.set(task, part);
                changed.put(part.window(), true);
            }
        }
        Map<TimeWindow, WindowResult> results = new HashMap<>();
        changed.keySet()
                .forEach(window -> results.put(
                        window,
                        Aggregators.merge(latest.get(window).stream()
                                .filter(part -> part != null)
                                .toList())));
        return results;
    }

    /** An early emission has what the windows hold; only that of all tasks together can be compared, so all are asked. */
    private static void check(int seed, RandomQueryCase random, AggregatorModel model, List<Aggregator> aggregators) {
        if (aggregators.size() > 1) {
            return;
        }
        Map<TimeWindow, WindowResult> early = new HashMap<>();
        aggregators.get(0).early().forEach(part -> {
            assertThat(part.emission()).isEqualTo(Emission.EARLY);
            early.put(part.window(), part);
        });
        Map<TimeWindow, Map<List<Object>, List<Object>>> expected = model.unfinished();
        expected.keySet().retainAll(early.keySet());
        check(seed, expected, early);
        assertThat(aggregators.get(0).early()).isEmpty();
    }

    private static void check(
            int seed,
            Map<TimeWindow, Map<List<Object>, List<Object>>> expected,
            Map<TimeWindow, WindowResult> results) {
        Map<TimeWindow, Map<List<Object>, List<Object>>> found = new HashMap<>();
        results.forEach((window, result) -> found.put(window, AggregatorModel.read(result)));
        assertThat(found.keySet()).as("windows of seed %d", seed).isEqualTo(expected.keySet());
        expected.forEach((window, groups) ->
                check("seed " + seed + ", " + window, results.get(window), groups, found.get(window)));
    }

    private static void check(
            String where,
            WindowResult result,
            Map<List<Object>, List<Object>> groups,
            Map<List<Object>, List<Object>> found) {
        assertThat(found.keySet()).as(where).isEqualTo(groups.keySet());
        groups.forEach((key, values) -> {
            for (int i = 0; i < values.size(); i++) {
                String column =
                        result.schema().fields().get(result.dimensions() + i).name();
                check(
                        where + ", group " + key + ", " + column,
                        column,
                        values.get(i),
                        found.get(key).get(i));
            }
        });
    }

    /** Means and deviations are rounded more than once; from a deviation, what is left of 106 bits is subtracted. */
    private static void check(String what, String column, Object expected, Object found) {
        if (expected instanceof Double number && column.startsWith("STDDEV")) {
            assertThat((Double) found).as(what).isCloseTo(number, offset(1e-14 * Math.abs(number) + 1e-5));
        } else if (expected instanceof Double number && column.startsWith("AVG")) {
            assertThat((Double) found).as(what).isCloseTo(number, offset(Math.ulp(number)));
        } else {
            assertThat(found).as(what).isEqualTo(expected);
        }
    }
}
