package io.updraft.microbench;

import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of aggregating a row, for different numbers of dimensions, measures and groups. The limit is filling the
 * row, which cannot be avoided.
 *
 * <pre>
 *   fill  puts the values into a row, text as bytes of an array that holds them all
 *   add   the same, and adds it to a tumbling window of an aggregator
 * </pre>
 *
 * <p>One operation is one row. The first dimension is unique per group (texts of 10 bytes); each other dimension has at most 50
 * values. Measures alternate between sum, min, max and avg, each of a separate field, and every other field has whole numbers.
 * Groups come in an order that caches cannot predict. The tear-down checks that each row was counted.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 1,
        jvmArgs = {"-Xms6g", "-Xmx6g", "-XX:+UseParallelGC"})
public class AggregationBenchmark {

    static final int ROWS = 1024;
    private static final int TEXT = 10;
    private static final int OTHERS = 50;
    private static final AggregateFunction[] FUNCTIONS = {
        AggregateFunction.SUM, AggregateFunction.MIN, AggregateFunction.MAX, AggregateFunction.AVG
    };

    /** Dimensions and measures. */
    @Param({"2x2", "6x4", "62x20"})
    public String shape;

    /** Groups. */
    @Param({"10", "1000", "10000", "100000", "1000000", "10000000"})
    public int groups;

    private int dimensions;
    private int measures;
    private byte[] texts;
    private byte[] others;
    private RecordRow row;
    private Aggregator aggregator;
    private long next;
    private long added;

    /** Makes the texts, and adds each group once. */
    @Setup(Level.Trial)
    public void begin() {
        dimensions = Integer.parseInt(shape.substring(0, shape.indexOf('x')));
        measures = Integer.parseInt(shape.substring(shape.indexOf('x') + 1));
        texts = texts(groups, "s%09d");
        others = texts(OTHERS, "value-%04d");
        Query query = query();
        row = new RecordRow(query.input());
        aggregator = Aggregators.create(query, new AggregatorOptions(Long.MAX_VALUE, Long.MAX_VALUE, null));
        for (int group = 0; group < groups; group++) {
            fillRow(group);
            aggregator.add(row, 1);
            added++;
        }
    }

    private Query query() {
        List<Schema.Field> fields = new ArrayList<>();
        List<String> by = new ArrayList<>();
        for (int i = 0; i < dimensions; i++) {
            fields.add(new Schema.Field("d" + i, FieldType.TEXT));
            by.add("d" + i);
        }
        List<Measure> compute = new ArrayList<>();
        compute.add(new Measure("rows", AggregateFunction.COUNT, null, 0));
        for (int i = 0; i < measures; i++) {
            fields.add(new Schema.Field("m" + i, i % 2 == 0 ? FieldType.LONG : FieldType.DOUBLE));
            compute.add(new Measure("r" + i, FUNCTIONS[i % 4], "m" + i, 0));
        }
        return new Query(new Schema(fields), by, compute, WindowSpec.tumbling(Duration.ofMinutes(5)));
    }

    private static byte[] texts(int count, String format) {
        byte[] texts = new byte[count * TEXT];
        for (int i = 0; i < count; i++) {
            byte[] text = String.format(format, i).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(text, 0, texts, i * TEXT, TEXT);
        }
        return texts;
    }

    private void fillRow(int group) {
        row.setText(0, texts, group * TEXT, TEXT);
        for (int i = 1; i < dimensions; i++) {
            row.setText(i, others, (group + i) % OTHERS * TEXT, TEXT);
        }
        for (int i = 0; i < measures; i++) {
            if (i % 2 == 0) {
                row.setLong(dimensions + i, group + i);
            } else {
                row.setDouble(dimensions + i, group * 0.25 + i);
            }
        }
    }

    /** Fibonacci hashing: goes through the groups in leaps. */
    private int nextGroup() {
        return (int) ((next++ * 0x9e3779b97f4a7c15L >>> 33) % groups);
    }

    /** {@return something of the last row} */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long fill() {
        long sum = 0;
        for (int i = 0; i < ROWS; i++) {
            fillRow(nextGroup());
            sum += row.getLong(dimensions) + row.from(0);
        }
        return sum;
    }

    /** {@return the end of the window} */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long add() {
        long end = 0;
        for (int i = 0; i < ROWS; i++) {
            fillRow(nextGroup());
            end += aggregator.add(row, i);
        }
        added += ROWS;
        return end;
    }

    /** Checks that all rows are in the result, and says what a group takes. */
    @TearDown(Level.Trial)
    public void check() {
        System.out.printf("%n%s, %d groups: %.1f bytes each%n", shape, groups, (double) aggregator.bytes() / groups);
        long counted = 0;
        for (PartialResult result : aggregator.closeWindows(Long.MAX_VALUE)) {
            long[] rows = new long[1];
            result.forEach(group -> rows[0] += group.getLong(dimensions));
            counted += rows[0];
        }
        if (counted != added) {
            throw new IllegalStateException(added + " rows were added, and " + counted + " are in the results");
        }
    }
}
