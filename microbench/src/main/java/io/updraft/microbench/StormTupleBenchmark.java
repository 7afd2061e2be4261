package io.updraft.microbench;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.tuple.Values;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What Storm pays to make a tuple, beside the part that no runtime can avoid: the user's own {@code Values}.
 *
 * <pre>
 *   valuesOnly   new Values(word)
 *   unanchored   new TupleImpl(..., MessageId.makeUnanchored())       topology.acker.executors: 0
 *   anchored     new TupleImpl(..., MessageId.makeRootId(root, edge)) a hash map and two random ids for each tuple
 * </pre>
 *
 * <p>One operation is one tuple. Run with {@code -prof gc} to see the bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StormTupleBenchmark {

    /** As on a cluster: there, tuples are not checked against the declared fields. */
    private final GeneralTopologyContext context = new GeneralTopologyContext(
            new StormTopology(Map.of(), Map.of(), Map.of()),
            Map.of(Config.STORM_CLUSTER_MODE, "distributed"),
            Map.of(1, "spout"),
            Map.of("spout", List.of(1)),
            Map.of("spout", Map.of("default", new Fields("word"))),
            "benchmark");

    /** As in Storm's executors: each thread draws ids from a Random of its own. */
    private final Random random = new Random(1);

    private String word = "0123456789";

    /** {@return the values alone, as a user's spout makes them} */
    @Benchmark
    public Values valuesOnly() {
        return new Values(word);
    }

    /** {@return Storm's tuple, tracked by nobody} */
    @Benchmark
    public TupleImpl unanchored() {
        return new TupleImpl(context, new Values(word), "spout", 1, "default", MessageId.makeUnanchored());
    }

    /** {@return Storm's tuple, the root of a tracked tree} */
    @Benchmark
    public TupleImpl anchored() {
        long root = MessageId.generateId(random);
        long edge = MessageId.generateId(random);
        return new TupleImpl(context, new Values(word), "spout", 1, "default", MessageId.makeRootId(root, edge));
    }
}
