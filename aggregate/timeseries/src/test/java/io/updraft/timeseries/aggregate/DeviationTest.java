package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the standard deviation of the population with one computed in arbitrary precision. */
@Tag("one-jdk")
class DeviationTest {

    private static final Schema INPUT = new Schema(List.of(
            new Schema.Field("name", FieldType.TEXT),
            new Schema.Field("real", FieldType.DOUBLE),
            new Schema.Field("whole", FieldType.LONG)));
    private static final Query QUERY = new Query(
            INPUT,
            List.of("name"),
            List.of(
                    new Measure("real", AggregateFunction.STDDEV, "real", 0),
                    new Measure("whole", AggregateFunction.STDDEV, "whole", 0)),
            WindowSpec.tumbling(Duration.ofSeconds(1)));

    @TempDir
    Path directory;

    @Test
    void shouldBeZeroForOneValueHoweverLarge() {
        for (double value : new double[] {0, 1, 1e16, -1e200, Double.MAX_VALUE, Double.MIN_VALUE, 1e-200}) {
            assertThat(deviation(1, false, value)).as("of " + value).isZero();
            assertThat(deviation(2, false, value, value))
                    .as("of two " + value)
                    .satisfiesAnyOf(
                            sd -> assertThat(sd).isZero(),
                            sd -> assertThat(Math.abs(value)).isEqualTo(Double.MAX_VALUE));
        }
        assertThat(deviationOfWhole(Long.MAX_VALUE)).isZero();
    }

    @Test
    void shouldBeRightForNumbersWhoseSquaresAreNoDoubles() {
        assertRight(1e200, 3e200);
        assertRight(1e-200, 3e-200);
        assertRight(1e-320, 7e-320, 0);
        assertRight(0.5e308, -0.5e308, 0.3e308);
        assertRight(0, 0, 1e-170, 5);
        assertRight(1e300, 1, 2, 3, 1e-300);
        assertRight(1e-300, 3, 2, 1, 1e300);
        assertRight(1e150, 1e160, 1e170, 1e155);
        assertRight(1e16, 1, 2, 3);
        assertRight(1e15 + 1, 1e15 + 2, 1e15 + 4);
    }

    @Test
    void shouldBeRightForWholeNumbersOfAnySize() {
        assertThat(deviationOfWhole(Long.MAX_VALUE, Long.MIN_VALUE)).isEqualTo(0x1p63);
        assertThat(deviationOfWhole(Long.MAX_VALUE, Long.MAX_VALUE - 2)).isEqualTo(1);
    }

    @Test
    void shouldHaveNoNumberForWhatHasNone() {
        assertThat(deviation(1, false, 1, Double.NaN)).isNaN();
        assertThat(deviation(1, false, 1e300, Double.POSITIVE_INFINITY, 1)).isNaN();
        assertThat(deviation(1, false, 1e308, 1.5e308))
                .as("the sum is infinite")
                .isNaN();
    }

    /** Of any magnitude, alone and mixed, about any mean, in one to four tasks, in memory and on disk. */
    @Test
    void shouldBeRightWhateverItIsOf() {
        for (int seed = 0; seed < 300; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int exponent = random.nextInt(-1060, 1010);
            int spread = random.nextInt(4) == 0 ? 600 : 10;
            double mean = random.nextInt(3) == 0
                    ? 0
                    : Math.scalb(random.nextDouble(), Math.min(1010, exponent + random.nextInt(24)));
            double[] values = random.doubles(2 + random.nextInt(50), -1, 1)
                    .map(value ->
                            mean + Math.scalb(value, Math.min(1015, exponent + random.nextInt(spread) - spread / 2)))
                    .toArray();
            double right = exact(values);
            String of = "seed " + seed + ", of " + Arrays.toString(values);
            int tasks = 1 + random.nextInt(4);
            if (right > 0x1p-1020) {
                assertThat(deviation(tasks, false, values)).as(of).isCloseTo(right, withinPercentage(1e-12));
                if (seed % 30 == 0) {
                    assertThat(deviation(tasks, true, values)).as(of).isCloseTo(right, withinPercentage(1e-12));
                }
            }
        }
    }

    /** What is documented: two digits are lost for each power of ten by which the mean is more than 10^7 deviations. */
    @Test
    void shouldKeepElevenDigitsOfADeviationThatIsTenBillionTimesLessThanTheMean() {
        double[] values =
                new SplittableRandom(1).doubles(1000, 0, 1).map(x -> 5e9 + x).toArray();
        assertThat(deviation(3, false, values)).isCloseTo(exact(values), withinPercentage(1e-9));
    }

    private void assertRight(double... values) {
        for (int tasks = 1; tasks <= 3; tasks++) {
            for (boolean onDisk : tasks == 2 ? new boolean[] {false, true} : new boolean[] {false}) {
                assertThat(deviation(tasks, onDisk, values))
                        .as("in %d tasks, of %s", tasks, Arrays.toString(values))
                        .isCloseTo(exact(values), withinPercentage(Math.abs(exact(values)) < 1e-300 ? 1 : 1e-13));
            }
        }
    }

    private static double exact(double... values) {
        BigDecimal count = BigDecimal.valueOf(values.length);
        BigDecimal sum = DoubleStream.of(values).mapToObj(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal squares = DoubleStream.of(values)
                .mapToObj(value -> new BigDecimal(value).pow(2))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return squares.multiply(count)
                .subtract(sum.pow(2))
                .divide(count.pow(2), new MathContext(60))
                .sqrt(new MathContext(40))
                .doubleValue();
    }

    private double deviation(int tasks, boolean onDisk, double... values) {
        List<Aggregator> aggregators = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            aggregators.add(Aggregators.create(
                    QUERY, new AggregatorOptions(onDisk ? 1 : 10, Long.MAX_VALUE, onDisk ? directory : null)));
        }
        RecordRow row = new RecordRow(INPUT);
        for (int i = 0; i < values.length; i++) {
            // With capacity for one group only, each goes to disk for the other.
            for (String name : onDisk ? List.of("a", "b") : List.of("a")) {
                row.setText(0, name);
                row.setDouble(1, values[i]);
                aggregators.get(i % tasks).add(row, 0);
            }
        }
        return result(aggregators, 1);
    }

    private static double deviationOfWhole(long... values) {
        Aggregator aggregator = Aggregators.create(QUERY, AggregatorOptions.inMemory());
        RecordRow row = new RecordRow(INPUT);
        for (long value : values) {
            row.setText(0, "a");
            row.setLong(2, value);
            aggregator.add(row, 0);
        }
        return result(List.of(aggregator), 2);
    }

    private static double result(List<Aggregator> aggregators, int slot) {
        List<PartialResult> parts = new ArrayList<>();
        aggregators.forEach(each -> parts.addAll(each.closeWindows(1000)));
        double[] found = {-1};
        Aggregators.merge(parts).forEach(group -> {
            if (group.value(0).equals("a")) {
                found[0] = group.getDouble(slot);
            }
        });
        aggregators.forEach(Aggregator::close);
        return found[0];
    }
}
