package io.updraft.observe.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.updraft.engine.snapshot.Move;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the history with a list of all samples. */
class HistoryTest {
    private static final List<Figure> FIGURES =
            List.of(new Figure("rate", Merge.MEAN), new Figure("errors", Merge.SUM), new Figure("queue", Merge.MAX));
    private static final HistorySeries FIRST = series("first");
    private static final HistorySeries SECOND = series("second");
    private static final long START = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000;

    private final List<Sample> model = new ArrayList<>();

    private record Sample(long end, double seconds, Map<HistorySeries, double[]> values) {}

    private static HistorySeries series(String name) {
        return new HistorySeries(HistorySeries.Kind.BOLT, name, FIGURES);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 7_000, 60_000, 3_600_000})
    void shouldEqualAListOfTheSamplesOfTheLastHour(int step) {
        for (int seed = 0; seed < 20; seed++) {
            model.clear();
            Histories histories = new Histories();
            History history = histories.begin("numbers");
            fill(histories, history, new Random(seed), 3_600 + seed * 100);
            long from = history.endMillis() - HOUR;
            assertEqual(history.steps(from, step), expected(from, step));
            assertThat(history.isShortened()).isFalse();
            assertThat(history.coarseUntilMillis()).isZero();
        }
    }

    @Test
    void shouldKeepSumsMeansAndMaximaWhenSamplesAreMergedToSaveMemory() {
        long limit = 100_000;
        Histories histories = new Histories(limit);
        History history = histories.begin("numbers");
        fill(histories, history, new Random(1), 3_000);
        assertThat(histories.bytes()).isLessThanOrEqualTo(limit).isGreaterThan(limit / 2);
        assertThat(history.coarseUntilMillis()).isBetween(START, history.endMillis());
        assertThat(history.isShortened()).isFalse();
        // One step holds all samples.
        assertEqual(history.steps(0, 100 * HOUR), expected(0, 100 * HOUR));
        List<HistoryStep> newest = history.steps(history.coarseUntilMillis(), 1_000);
        assertEqual(newest, expected(history.coarseUntilMillis(), 1_000));
    }

    @Test
    void shouldDropTheOldestSamplesWhenNoneIsLeftToMerge() {
        Histories histories = new Histories(20_000);
        History history = histories.begin("numbers");
        fill(histories, history, new Random(1), 3_600);
        assertThat(histories.bytes()).isLessThanOrEqualTo(20_000);
        assertThat(history.isShortened()).isTrue();
        assertThat(history.startMillis()).isGreaterThan(START);
        double[] last = model.get(model.size() - 1).values().get(FIRST);
        List<HistoryStep> steps = history.steps(history.endMillis() - 1, 1_000);
        assertThat(steps.get(steps.size() - 1).values().get(FIRST)[2]).isEqualTo((float) last[2]);
    }

    @Test
    void shouldShareTheMemoryWithEndedTopologiesUntilTheyAreForgotten() {
        Histories histories = new Histories(20_000);
        History ended = histories.begin("ended");
        fill(histories, ended, new Random(1), 100);
        histories.end(ended, ended.endMillis());
        assertThat(histories.read("ended", History::endedMillis)).containsExactly(ended.endMillis());
        fill(histories, histories.begin("numbers"), new Random(2), 3_600);
        assertThat(histories.read("ended", History::name)).isEmpty();
        assertThat(histories.bytes()).isLessThanOrEqualTo(20_000);
    }

    @Test
    void shouldAllocateWithTimeOnly() {
        Histories histories = new Histories();
        History history = histories.begin("numbers");
        assertThat(histories.bytes()).isZero();
        fill(histories, history, new Random(1), 60);
        long minute = histories.bytes();
        fill(histories, history, new Random(1), 60 * 9);
        assertThat(histories.bytes()).isBetween(10 * minute, 20 * minute);
    }

    @Test
    void shouldKeepTheNewestMovesWithoutRepetitions() {
        History history = new History("numbers");
        List<Move> all = new ArrayList<>();
        for (int i = 1; i <= 3 * History.MOVES; i++) {
            all.add(new Move(i, "count, task " + i, "loop 0", "loop 1", "busy"));
            history.addMoves(all.subList(Math.max(0, i - 256), i));
        }
        assertThat(history.moves(0)).isEqualTo(all.subList(2 * History.MOVES, 3 * History.MOVES));
        assertThat(history.moves(3 * History.MOVES - 1)).hasSize(1);
    }

    /** Adds samples to the history and to the model. The second series comes and goes. */
    private void fill(Histories histories, History history, Random random, int samples) {
        long time = history.endMillis() == 0 ? START : history.endMillis();
        for (int i = 0; i < samples; i++) {
            long length = random.nextInt(100) == 0 ? 5_000 : 950 + random.nextInt(100);
            time += length;
            Map<HistorySeries, double[]> values = new LinkedHashMap<>();
            values.put(FIRST, values(random));
            if (i / 130 % 2 == 1) {
                values.put(SECOND, values(random));
            }
            histories.add(history, time, length / 1e3, values);
            model.add(new Sample(time, length / 1e3, values));
        }
    }

    private static double[] values(Random random) {
        return new double[] {random.nextInt(1_000_000), random.nextInt(5), random.nextInt(100_000)};
    }

    /** Merges the samples of the model with plain loops. The history may hold up to a block more than the hour. */
    private List<HistoryStep> expected(long from, long step) {
        Map<Long, List<Sample>> groups = new LinkedHashMap<>();
        for (Sample sample : model) {
            if (sample.end() > from) {
                long length = Math.round(sample.seconds() * 1e3);
                long middle = sample.end() - length + Math.min(length, step) / 2;
                groups.computeIfAbsent(middle / step * step, start -> new ArrayList<>())
                        .add(sample);
            }
        }
        List<HistoryStep> steps = new ArrayList<>();
        groups.forEach((start, samples) -> {
            Map<HistorySeries, double[]> values = new LinkedHashMap<>();
            for (HistorySeries series : List.of(FIRST, SECOND)) {
                List<Sample> having = samples.stream()
                        .filter(sample -> sample.values().containsKey(series))
                        .toList();
                if (!having.isEmpty()) {
                    values.put(series, merged(having, series));
                }
            }
            steps.add(new HistoryStep(
                    start, samples.stream().mapToDouble(Sample::seconds).sum(), values));
        });
        return steps;
    }

    private static double[] merged(List<Sample> samples, HistorySeries series) {
        double seconds = samples.stream().mapToDouble(Sample::seconds).sum();
        return new double[] {
            samples.stream()
                            .mapToDouble(sample -> sample.values().get(series)[0] * sample.seconds())
                            .sum()
                    / seconds,
            samples.stream()
                    .mapToDouble(sample -> sample.values().get(series)[1])
                    .sum(),
            samples.stream()
                    .mapToDouble(sample -> sample.values().get(series)[2])
                    .max()
                    .orElseThrow()
        };
    }

    private static void assertEqual(List<HistoryStep> steps, List<HistoryStep> expected) {
        assertThat(steps).extracting(HistoryStep::startMillis).isEqualTo(starts(expected));
        for (int i = 0; i < steps.size(); i++) {
            HistoryStep step = steps.get(i);
            HistoryStep same = expected.get(i);
            assertThat(step.seconds()).isCloseTo(same.seconds(), within(1e-3 * same.seconds()));
            for (HistorySeries series : List.of(FIRST, SECOND)) {
                double[] wanted = same.values().get(series);
                double[] found = step.values().get(series);
                for (int figure = 0; figure < FIGURES.size(); figure++) {
                    double value = found == null ? Double.NaN : found[figure];
                    if (wanted == null) {
                        assertThat(value).isNaN();
                    } else {
                        assertThat(value).isCloseTo(wanted[figure], within(1e-4 * Math.max(1, wanted[figure])));
                    }
                }
            }
        }
    }

    private static List<Long> starts(List<HistoryStep> steps) {
        return steps.stream().map(HistoryStep::startMillis).toList();
    }
}
