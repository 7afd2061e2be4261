package io.updraft.microbench;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.grouping.Emitter;
import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.grouping.Groupers;
import io.updraft.engine.grouping.KeySamplers;
import io.updraft.engine.grouping.Load;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.Grouping;
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
 * Measures the cost of choosing a task by fields grouping on one field, in Updraft and Storm. The limit is the hash that no
 * fields grouping can avoid.
 *
 * <pre>
 *   hashOnly  values.get(0).hashCode(), reduced to a task index
 *   updraft   the engine's grouper, as the collector calls it
 *   storm     Fields.select, a new list, then TupleUtils.chooseTaskIndex
 * </pre>
 *
 * <p>One operation is one choice, over {@value #WORDS} words and {@value #TASKS} tasks. The set-up checks that all methods have
 * the same sum of choices.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FieldsGroupingBenchmark {

    static final int WORDS = 1024;
    static final int TASKS = 4;

    private final Fields declared = new Fields("word", "count");
    private final Fields grouped = new Fields("word");
    private final Grouper grouper = Groupers.create(
            new StreamPlan("words", "default", declared, false, List.of()),
            new SubscriptionPlan("count", new int[] {1, 2, 3, 4}, Grouping.fields(List.of("word"))),
            new Emitter(5, new int[] {5}, false),
            null,
            Load.NONE,
            new SplittableRandom(1),
            new KeySamplers(EngineClock.SYSTEM));
    private final Values[] tuples = new Values[WORDS];

    /** Makes the tuples. */
    @Setup
    public void makeTuples() {
        Arrays.setAll(tuples, i -> new Values("word-" + i, 1L));
        if (hashOnly() != storm() || updraft() != storm()) {
            throw new IllegalStateException("the methods choose different tasks");
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

    /** {@return the sum of the task indexes, chosen as the engine does} */
    @Benchmark
    @OperationsPerInvocation(WORDS)
    public int updraft() {
        int sum = 0;
        for (Values tuple : tuples) {
            sum += grouper.choose(tuple);
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
