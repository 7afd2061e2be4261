package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sums of whole numbers that leave 64 bits: in the end, temporarily, or only when the results of tasks are merged. */
@Tag("one-jdk")
class OverflowTest {

    private static final Schema INPUT =
            new Schema(List.of(new Schema.Field("name", FieldType.TEXT), new Schema.Field("v", FieldType.LONG)));
    private static final Query QUERY = query(Duration.ZERO);
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    @TempDir
    Path directory;

    private final RecordRow row = new RecordRow(INPUT);

    private static Query query(Duration lateness) {
        return new Query(
                INPUT,
                List.of("name"),
                List.of(
                        new Measure("total", AggregateFunction.SUM, "v", 0),
                        new Measure("mean", AggregateFunction.AVG, "v", 0),
                        new Measure("n", AggregateFunction.COUNT, null, 0)),
                new WindowSpec(Duration.ofSeconds(1), Duration.ofSeconds(1), lateness));
    }

    @Test
    void shouldKeepAGroupApartWhoseSumDoesNotFit() {
        Aggregator aggregator = Aggregators.create(QUERY, AggregatorOptions.inMemory());
        add(aggregator, "a", Long.MAX_VALUE, 0);
        add(aggregator, "a", 1, 0);
        add(aggregator, "b", 5, 0);

        WindowResult result = aggregator.closeWindows(1000).get(0);

        assertThat(sums(result)).isEqualTo(Map.of("b", 5L));
        assertThat(result.size()).isEqualTo(1);
        assertThat(overflows(result))
                .containsExactly(
                        "a 2 " + Math.scalb(1.0, 62) + " total: the sum of v is 9223372036854775808, which does not fit"
                                + " into 64 bits: make the field a floating-point number, or take its mean");
    }

    @Test
    void shouldKeepADecimalToEighteenDigits() {
        Schema input = new Schema(List.of(new Schema.Field("v", FieldType.DECIMAL, 2)));
        Query query = new Query(
                input,
                List.of("v"),
                List.of(
                        new Measure("total", AggregateFunction.SUM, "v", 0),
                        new Measure("mean", AggregateFunction.AVG, "v", 0)),
                WindowSpec.ALL_TIME);
        assertThat(query.result().fields().get(1)).isEqualTo(new Schema.Field("total", FieldType.DECIMAL, 2));
        try (Aggregator aggregator = Aggregators.create(query, AggregatorOptions.inMemory())) {
            RecordRow decimal = new RecordRow(input);
            for (long unscaled : new long[] {499_999_999_999_999_999L, -500_000_000_000_000_000L}) {
                decimal.setLong(0, unscaled);
                aggregator.add(decimal, 0);
                aggregator.add(decimal, 0);
            }
            WindowResult result = aggregator.closeWindows(Long.MAX_VALUE).get(0);

            result.forEach(row -> {
                assertThat(row.getLong(1)).isEqualTo(999_999_999_999_999_998L);
                assertThat(row.getDouble(2)).isEqualTo(4999999999999999.99);
            });
            List<String> reasons = new ArrayList<>();
            result.forEachOverflow(group -> reasons.add(group.reason()));
            assertThat(reasons)
                    .containsExactly("total: the sum of v is -10000000000000000.00, which does not fit into 18 digits:"
                            + " make the field a floating-point number, or take its mean");
        }
    }

    @Test
    void shouldOverflowOnlyWhenResultsArePutTogether() {
        for (Path spill : new Path[] {null, directory}) {
            List<PartialResult> parts = new ArrayList<>();
            for (int task = 0; task < 2; task++) {
                Aggregator aggregator = Aggregators.create(QUERY, new AggregatorOptions(2, Long.MAX_VALUE, spill));
                add(aggregator, "b", 1, 0);
                add(aggregator, "a", Long.MAX_VALUE, 0);
                if (spill != null) {
                    add(aggregator, "c", 1, 0);
                }
                parts.addAll(aggregator.closeWindows(1000));
            }
            parts.forEach(part -> assertThat(overflows(part)).isEmpty());

            WindowResult whole = Aggregators.merge(parts);

            assertThat(whole).isInstanceOf(spill == null ? TableResult.class : FileResult.class);
            assertThat(sums(whole)).isEqualTo(spill == null ? Map.of("b", 2L) : Map.of("b", 2L, "c", 2L));
            assertThat(overflows(whole)).singleElement().asString().contains("18446744073709551614");
        }
    }

    @Test
    void shouldFitAgainThoughAnEarlierResultDidNot() {
        Aggregator aggregator = Aggregators.create(query(Duration.ofSeconds(1)), AggregatorOptions.inMemory());
        add(aggregator, "a", Long.MAX_VALUE, 0);
        add(aggregator, "a", Long.MAX_VALUE, 0);
        assertThat(overflows(aggregator.early().get(0))).hasSize(1);
        assertThat(overflows(aggregator.closeWindows(1000).get(0))).hasSize(1);

        add(aggregator, "a", -Long.MAX_VALUE, 0);
        WindowResult update = aggregator.closeWindows(1000).get(0);

        assertThat(sums(update)).isEqualTo(Map.of("a", Long.MAX_VALUE));
        assertThat(overflows(update)).isEmpty();
    }

    /** The extremes of numbers, in any number of tasks, in memory and on disk, beside sums of any length. */
    @Test
    void shouldGiveEachSumThatFitsAndNoOther() {
        for (int seed = 0; seed < 40; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Path spill = seed % 8 == 0 ? directory : null;
            int tasks = 1 + random.nextInt(4);
            List<Aggregator> aggregators = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                long groups = spill == null ? Long.MAX_VALUE : 3;
                aggregators.add(Aggregators.create(QUERY, new AggregatorOptions(groups, Long.MAX_VALUE, spill)));
            }
            Map<String, BigInteger> exact = new HashMap<>();
            for (int i = 0; i < 300; i++) {
                String name = "g" + random.nextInt(20);
                long value = random.nextBoolean()
                        ? random.nextLong()
                        : random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
                add(aggregators.get(random.nextInt(tasks)), name, value, 0);
                exact.merge(name, BigInteger.valueOf(value), BigInteger::add);
            }
            List<PartialResult> parts = new ArrayList<>();
            aggregators.forEach(each -> parts.addAll(each.closeWindows(1000)));
            WindowResult whole = Aggregators.merge(parts);

            Map<String, Object> fitting = new TreeMap<>();
            exact.forEach((name, sum) -> {
                if (sum.compareTo(LEAST) >= 0 && sum.compareTo(MOST) <= 0) {
                    fitting.put(name, sum.longValue());
                }
            });
            assertThat(sums(whole)).as("seed %d", seed).isEqualTo(fitting);
            assertThat(overflows(whole)).hasSize(exact.size() - fitting.size());
            assertThat(whole.size()).isEqualTo(fitting.size());
            aggregators.forEach(Aggregator::close);
        }
    }

    @Test
    void shouldTakeNoRowOfATimeWhoseWindowHasNoEnd() {
        Aggregator aggregator = Aggregators.create(QUERY, AggregatorOptions.inMemory());
        for (long time : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE, Long.MAX_VALUE - 500}) {
            row.setText(0, "a");
            row.setLong(1, 1);
            assertThat(aggregator.add(row, time)).isEqualTo(Aggregator.LATE);
        }
        add(aggregator, "a", 1, -1);
        assertThat(aggregator.closeWindows(0).get(0).window()).isEqualTo(new TimeWindow(-1000, 0));
        assertThat(aggregator.windows()).isZero();
    }

    private void add(Aggregator aggregator, String name, long value, long time) {
        row.setText(0, name);
        row.setLong(1, value);
        assertThat(aggregator.add(row, time)).isNotEqualTo(Aggregator.LATE);
    }

    private static Map<String, Object> sums(WindowResult result) {
        Map<String, Object> sums = new TreeMap<>();
        result.forEach(group -> sums.put((String) group.value(0), group.value(1)));
        return sums;
    }

    private static List<String> overflows(WindowResult result) {
        List<String> overflows = new ArrayList<>();
        result.forEachOverflow(group -> {
            assertThat(group.row().has(1)).isFalse();
            overflows.add(group.row().value(0) + " " + group.row().value(3) + " "
                    + group.row().value(2) + " " + group.reason());
        });
        return overflows;
    }
}
