package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AggregatorTest {

    private static final Schema INPUT = new Schema(List.of(
            new Schema.Field("name", FieldType.TEXT),
            new Schema.Field("whole", FieldType.LONG),
            new Schema.Field("real", FieldType.DOUBLE)));
    private static final WindowSpec SECOND = WindowSpec.tumbling(Duration.ofSeconds(1));
    private static final AggregatorOptions ANY = new AggregatorOptions(Long.MAX_VALUE, Long.MAX_VALUE, null);

    private final RecordRow row = new RecordRow(INPUT);

    @Test
    void shouldSayHowManyBytesResultsTakeThatShareTexts() {
        Aggregator aggregator = Aggregators.create(query(measure(AggregateFunction.SUM, "whole")), ANY);
        for (int i = 0; i < 20_000; i++) {
            add(aggregator, "a name of its own " + i, i, i % 4 * 1000);
        }
        long open = aggregator.bytes();

        List<PartialResult> results = aggregator.closeWindows(4000);

        assertThat(results).hasSize(4);
        assertThat(results.stream().mapToLong(PartialResult::bytes).sum()).isBetween(open * 9 / 10, open * 11 / 10);
    }

    @Test
    void shouldTellTextsOfEachLengthApartInManyDimensions() {
        List<String> names = List.of("a", "b", "c", "d", "e", "f");
        Schema input = new Schema(names.stream()
                .map(name -> new Schema.Field(name, FieldType.TEXT))
                .toList());
        Measure count = new Measure("n", AggregateFunction.COUNT, null, 0);
        RecordRow texts = new RecordRow(input);
        for (int length = 0; length <= 20; length++) {
            Set<List<Object>> expected = new HashSet<>();
            Aggregator aggregator = Aggregators.create(new Query(input, names, List.of(count), SECOND), ANY);
            for (int at = 0; at < Math.max(1, length); at++) {
                StringBuilder text = new StringBuilder("x".repeat(length));
                if (length > 0) {
                    text.setCharAt(at, 'y');
                }
                byte[] utf8 = (text + "        ").getBytes(StandardCharsets.UTF_8);
                for (int slot = 0; slot < names.size(); slot++) {
                    texts.setText(slot, utf8, 0, length);
                }
                aggregator.add(texts, 0);
                expected.add(Collections.nCopies(names.size(), text.toString()));
            }
            Set<List<Object>> found =
                    AggregatorModel.read(aggregator.closeWindows(1000).get(0)).keySet();
            assertThat(found).as("length %d", length).isEqualTo(expected);
        }
    }

    @Test
    void shouldSumWhatFitsThoughItDidNotOnTheWay() {
        Aggregator aggregator = Aggregators.create(
                query(measure(AggregateFunction.SUM, "whole"), measure(AggregateFunction.AVG, "whole")), ANY);
        add(aggregator, "a", Long.MAX_VALUE, 0);
        add(aggregator, "a", Long.MAX_VALUE, 0);
        add(aggregator, "a", Long.MIN_VALUE, 0);
        add(aggregator, "a", Long.MIN_VALUE, 0);

        assertThat(only(aggregator, 1)).isEqualTo(-2L);
    }

    @Test
    void shouldSumTheSameInAnyOrderAndInAnyNumberOfTasks() {
        List<Double> values = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 20_000; i++) {
            values.add((random.nextInt(2_000_000) - 1_000_000) / 100.0 * (1 + random.nextInt(1000)));
        }
        double exact = values.stream()
                .map(BigDecimal::new)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .doubleValue();

        for (int tasks = 1; tasks <= 7; tasks++) {
            Collections.shuffle(values, new Random(tasks));
            List<Aggregator> aggregators = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                aggregators.add(Aggregators.create(query(measure(AggregateFunction.SUM, "real")), ANY));
            }
            for (int i = 0; i < values.size(); i++) {
                add(aggregators.get(i % tasks), "a", 0, values.get(i));
            }
            List<PartialResult> parts = new ArrayList<>();
            aggregators.forEach(aggregator -> parts.addAll(aggregator.closeWindows(1000)));
            assertThat(AggregatorModel.read(Aggregators.merge(parts)).get(List.of("a")))
                    .containsExactly(exact);
        }
    }

    @Test
    void shouldCarryInfinityAndNoNumber() {
        Aggregator aggregator = Aggregators.create(
                query(
                        measure(AggregateFunction.SUM, "real"),
                        measure(AggregateFunction.MIN, "real"),
                        measure(AggregateFunction.MAX, "real")),
                ANY);
        for (double value : new double[] {1, Double.POSITIVE_INFINITY, 2}) {
            add(aggregator, "infinite", 0, value);
        }
        for (double value : new double[] {1, Double.NaN, -0.0, 2}) {
            add(aggregator, "none", 0, value);
        }

        var groups = AggregatorModel.read(aggregator.closeWindows(1000).get(0));
        assertThat(groups.get(List.of("infinite")))
                .containsExactly(Double.POSITIVE_INFINITY, 1.0, Double.POSITIVE_INFINITY);
        assertThat(groups.get(List.of("none"))).containsExactly(Double.NaN, -0.0, Double.NaN);
    }

    @Test
    void shouldEstimateWithinTheErrorThatIsPromised() {
        Aggregator aggregator = Aggregators.create(
                query(
                        measure(AggregateFunction.DISTINCT, "name"),
                        new Measure("median", AggregateFunction.QUANTILE, "real", 0.5)),
                ANY);
        RecordRow same = new RecordRow(INPUT);
        for (int i = 0; i < 100_000; i++) {
            same.setText(0, "user-" + i % 50_000);
            same.setDouble(2, i * 7919 % 100_000);
            aggregator.add(same, 0);
        }

        WindowResult result = aggregator.closeWindows(1000).get(0);

        assertThat(result.size()).isEqualTo(1);
        result.forEach(group -> {
            assertThat((double) group.getLong(0)).isCloseTo(50_000, withinPercentage(6));
            assertThat(group.getDouble(1)).isCloseTo(50_000, offset(3000.0));
        });
    }

    @Test
    void shouldRefuseOneGroupMoreThanTheLimitAndLeaveTheRowOut() {
        Aggregator aggregator = Aggregators.create(
                query(measure(AggregateFunction.SUM, "whole")), new AggregatorOptions(2, Long.MAX_VALUE, null));
        add(aggregator, "a", 1, 0);
        add(aggregator, "b", 1, 0);

        assertThatThrownBy(() -> add(aggregator, "c", 1, 0))
                .isInstanceOf(TooManyGroupsException.class)
                .hasMessage(
                        "there are 2 groups in 1 open windows; the limit is 2: raise the limit of groups, group by fewer"
                                + " fields, or name a directory for groups that do not fit");
        add(aggregator, "a", 1, 0);
        assertThat(AggregatorModel.read(aggregator.closeWindows(1000).get(0)))
                .containsOnly(Map.entry(List.of("a"), List.of(2L)), Map.entry(List.of("b"), List.of(1L)));
    }

    @Test
    void shouldRefuseToTakeMoreMemoryThanTheLimit() {
        long limit = 1 << 20;
        Aggregator aggregator = Aggregators.create(
                query(measure(AggregateFunction.SUM, "whole")), new AggregatorOptions(Long.MAX_VALUE, limit, null));

        assertThatThrownBy(() -> {
                    for (int i = 0; ; i++) {
                        add(aggregator, "name-" + i, 1, 0);
                    }
                })
                .isInstanceOf(TooManyGroupsException.class)
                .hasMessageContaining("the limit is 1048576: raise the limit of bytes");
        assertThat(aggregator.groups()).isGreaterThan(5000);
    }

    @Test
    void shouldHoldMoreGroupsThanMemoryWhenThereIsADirectory(@TempDir Path directory) {
        long limit = 1 << 20;
        int groups = 30_000;
        try (Aggregator aggregator = Aggregators.create(
                query(measure(AggregateFunction.SUM, "whole"), measure(AggregateFunction.LAST, "name")),
                new AggregatorOptions(Long.MAX_VALUE, limit, directory))) {
            for (int i = 0; i < 2 * groups; i++) {
                add(aggregator, "name-" + i % groups, i % groups, 0);
                assertThat(aggregator.groups()).isLessThan(20_000);
            }
            assertThat(aggregator.bytes()).isLessThan(limit + limit / 10);

            WindowResult result = aggregator.closeWindows(1000).get(0);

            assertThat(result.size()).isEqualTo(groups);
            Map<List<Object>, List<Object>> all = AggregatorModel.read(result);
            for (int i = 0; i < groups; i++) {
                assertThat(all.get(List.of("name-" + i))).containsExactly(2L * i, "name-" + i);
            }
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldForgetValuesThatNoOpenWindowHas() {
        Aggregator aggregator = Aggregators.create(
                query(measure(AggregateFunction.SUM, "whole"), measure(AggregateFunction.LAST, "name")), ANY);
        long most = 0;
        for (int second = 0; second < 200; second++) {
            for (int i = 0; i < 1000; i++) {
                row.setText(0, "a text that is longer than an entry, and new " + second + "/" + i);
                row.setLong(1, i);
                aggregator.add(row, second * 1000L);
            }
            for (PartialResult result : aggregator.closeWindows(second * 1000L)) {
                assertThat(result.size()).isEqualTo(1000);
                int[] wrong = new int[1];
                result.forEach(group -> {
                    String expected = "a text that is longer than an entry, and new "
                            + result.window().start() / 1000 + "/" + group.getLong(1);
                    wrong[0] +=
                            group.value(0).equals(expected) && group.value(2).equals(expected) ? 0 : 1;
                });
                assertThat(wrong[0]).isZero();
            }
            most = Math.max(most, aggregator.bytes());
        }

        // All 200,000 texts would take 13 MB in each of the two dictionaries.
        assertThat(most).isLessThan(4_000_000);
    }

    @Test
    void shouldKeepResultsThatWereHandedOverWhileItGoesOn() {
        WindowSpec sliding = new WindowSpec(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofSeconds(5));
        Aggregator aggregator = Aggregators.create(
                new Query(INPUT, List.of("name"), List.of(measure(AggregateFunction.SUM, "whole")), sliding), ANY);
        add(aggregator, "a", 1, 1500);
        PartialResult before = aggregator.closeWindows(2000).get(0);
        for (int i = 0; i < 10_000; i++) {
            add(aggregator, "b" + i, 1, 1500);
        }
        add(aggregator, "a", 1, 1500);

        assertThat(AggregatorModel.read(before)).containsOnly(Map.entry(List.of("a"), List.of(1L)));
        PartialResult after = aggregator.closeWindows(2000).get(0);
        assertThat(after.emission()).isEqualTo(WindowResult.Emission.UPDATE);
        assertThat(AggregatorModel.read(after)).hasSize(10_001).containsEntry(List.of("a"), List.of(2L));
    }

    @Test
    void shouldRefuseToPutDifferentWindowsTogether() {
        Aggregator aggregator = Aggregators.create(query(measure(AggregateFunction.SUM, "whole")), ANY);
        add(aggregator, "a", 1, 0);
        add(aggregator, "a", 1, 1000);
        List<PartialResult> parts = aggregator.closeWindows(5000);

        assertThatThrownBy(() -> Aggregators.merge(parts)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Aggregators.merge(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("long")
    void shouldSayWithinATenthHowMuchMemoryItTakes() {
        // Once for nothing: what the JVM takes for itself the first time is not to count.
        filled(70_000);
        used();
        for (int groups : new int[] {700_000, 1_500_000}) {
            List<Aggregator> held = new ArrayList<>(List.of(filled(groups)));
            long bytes = held.get(0).bytes();
            long with = used();
            held.clear();
            long taken = with - used();

            assertThat((double) bytes).as("%d groups", groups).isCloseTo(taken, withinPercentage(10));
        }
    }

    private Aggregator filled(int groups) {
        Aggregator aggregator = Aggregators.create(
                query(
                        measure(AggregateFunction.SUM, "whole"),
                        measure(AggregateFunction.AVG, "real"),
                        measure(AggregateFunction.MAX, "name")),
                ANY);
        for (int i = 0; i < groups; i++) {
            add(aggregator, i % 3 == 0 ? "a name that is not short " + i : "short-" + i, i, i);
        }
        assertThat(aggregator.groups()).isEqualTo(groups);
        return aggregator;
    }

    @Test
    @Tag("long")
    void shouldHoldTenMillionGroups() {
        Aggregator aggregator = Aggregators.create(
                query(measure(AggregateFunction.SUM, "whole"), new Measure("rows", AggregateFunction.COUNT, null, 0)),
                ANY);
        int groups = 10_000_000;
        byte[] name = "n00000000".getBytes(StandardCharsets.US_ASCII);
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < groups; i++) {
                for (int digit = 8, rest = i; digit > 0; digit--, rest /= 10) {
                    name[digit] = (byte) ('0' + rest % 10);
                }
                row.setText(0, name, 0, name.length);
                row.setLong(1, i);
                aggregator.add(row, 0);
            }
        }
        assertThat(aggregator.bytes() / groups).isLessThan(130);

        WindowResult result = aggregator.closeWindows(1000).get(0);

        assertThat(result.size()).isEqualTo(groups);
        long[] wrong = new long[1];
        result.forEach(group -> {
            long number = 0;
            for (int digit = 1; digit < 9; digit++) {
                number = number * 10 + group.utf8(0)[group.from(0) + digit] - '0';
            }
            wrong[0] += group.getLong(1) == 2 * number && group.getLong(2) == 2 ? 0 : 1;
        });
        assertThat(wrong[0]).isZero();
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void add(Aggregator aggregator, String name, long whole, double real) {
        add(aggregator, name, whole, real, 0);
    }

    private void add(Aggregator aggregator, String name, long whole, long time) {
        add(aggregator, name, whole, whole, time);
    }

    private void add(Aggregator aggregator, String name, long whole, double real, long time) {
        row.setText(0, name);
        row.setLong(1, whole);
        row.setDouble(2, real);
        aggregator.add(row, time);
    }

    private static Object only(Aggregator aggregator, int column) {
        Object[] value = new Object[1];
        aggregator.closeWindows(1000).get(0).forEach(group -> value[0] = group.value(column));
        return value[0];
    }

    private static Measure measure(AggregateFunction function, String field) {
        return new Measure(function + " of " + field, function, field, 0);
    }

    private static Query query(Measure... measures) {
        boolean estimates =
                Arrays.stream(measures).anyMatch(measure -> measure.function() == AggregateFunction.DISTINCT);
        return new Query(INPUT, estimates ? List.of() : List.of("name"), List.of(measures), SECOND);
    }
}
