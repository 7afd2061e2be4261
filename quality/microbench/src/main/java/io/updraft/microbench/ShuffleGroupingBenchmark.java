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
import org.apache.storm.generated.NullStruct;
import org.apache.storm.grouping.ShuffleGrouping;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
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
 * Measures the cost of choosing a task by shuffle grouping. Updraft's grouper considers each task's load; Storm's plain shuffle
 * does not. The limit is a counter that wraps around.
 *
 * <pre>
 *   counter   next = next + 1 == n ? 0 : next + 1
 *   updraft   the engine's grouper, as the collector calls it
 *   storm     ShuffleGrouping.chooseTasks, which returns a list of one
 * </pre>
 *
 * <p>One operation is one choice among {@value #TASKS} tasks. The set-up checks that each task gets the same number.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ShuffleGroupingBenchmark {

    static final int TASKS = 4;
    static final int CHOICES = 1024;

    private final Values values = new Values("word");
    private final boolean[] overloaded = new boolean[TASKS + 1];
    private final Load load = task -> overloaded[task];
    private final Grouper grouper = Groupers.create(
            new StreamPlan("words", "default", new Fields("word"), false, List.of()),
            new SubscriptionPlan("count", new int[] {1, 2, 3, 4}, Grouping.shuffle(new NullStruct())),
            new Emitter(5, new int[] {5}, false),
            null,
            load,
            new SplittableRandom(1),
            new KeySamplers(EngineClock.SYSTEM));
    private final ShuffleGrouping storms = new ShuffleGrouping();
    private int next;

    /** Creates the state of one thread. */
    public ShuffleGroupingBenchmark() {}

    /** Prepares Storm's grouping and checks ours. */
    @Setup
    public void prepare() {
        storms.prepare(null, null, Arrays.asList(1, 2, 3, 4));
        int[] counts = new int[TASKS];
        for (int i = 0; i < CHOICES; i++) {
            counts[grouper.choose(values)]++;
        }
        for (int count : counts) {
            if (count != CHOICES / TASKS) {
                throw new IllegalStateException("not shared out evenly: " + Arrays.toString(counts));
            }
        }
    }

    /** {@return the sum of the choices of a counter} */
    @Benchmark
    @OperationsPerInvocation(CHOICES)
    public int counter() {
        int sum = 0;
        for (int i = 0; i < CHOICES; i++) {
            int position = next;
            next = position + 1 == TASKS ? 0 : position + 1;
            sum += position;
        }
        return sum;
    }

    /** {@return the sum of our choices} */
    @Benchmark
    @OperationsPerInvocation(CHOICES)
    public int updraft() {
        int sum = 0;
        for (int i = 0; i < CHOICES; i++) {
            sum += grouper.choose(values);
        }
        return sum;
    }

    /** {@return the sum of Storm's choices} */
    @Benchmark
    @OperationsPerInvocation(CHOICES)
    public int storm() {
        int sum = 0;
        for (int i = 0; i < CHOICES; i++) {
            sum += storms.chooseTasks(5, values).get(0);
        }
        return sum;
    }
}
