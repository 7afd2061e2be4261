package io.updraft.microbench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What Storm pays to choose a task by one field, beside the hash that no fields grouping can avoid.
 *
 * <pre>
 *   hashOnly  values.get(0).hashCode(), reduced to a task index
 *   storm     Fields.select, a new list, then TupleUtils.chooseTaskIndex
 * </pre>
 *
 * <p>One operation is one choice, over {@value #WORDS} words and {@value #TASKS} tasks. Both methods must come to the
 * same sum of choices; the set-up checks it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StormFieldsGroupingBenchmark {

    static final int WORDS = 1024;
    static final int TASKS = 4;

    private final Fields declared = new Fields("word", "count");
    private final Fields grouped = new Fields("word");
    private final Values[] tuples = new Values[WORDS];

    /** Makes the tuples. */
    @Setup
    public void makeTuples() {
        Arrays.setAll(tuples, i -> new Values("word-" + i, 1L));
        if (hashOnly() != storm()) {
            throw new IllegalStateException("the two methods choose different tasks");
        }
    }

    /** {@return the sum of the task indexes, chosen by the hash of the field alone} */
    @Benchmark
    @OperationsPerInvocation(WORDS)
    public int hashOnly() {
        int sum = 0;
        for (Values tuple : tuples) {
            // 31: the hash that a list with this one element has, which is what Storm takes.
            sum += Math.floorMod(31 + tuple.get(0).hashCode(), TASKS);
        }
        return sum;
    }

    /** {@return the sum of the task indexes, chosen as Storm does} */
    @Benchmark
    @OperationsPerInvocation(WORDS)
    public int storm() {
        int sum = 0;
        for (Values tuple : tuples) {
            sum += TupleUtils.chooseTaskIndex(declared.select(grouped, tuple), TASKS);
        }
        return sum;
    }
}
