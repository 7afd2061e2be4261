package io.updraft.microbench;

import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
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
 * Measures the cost of creating a tuple, in Updraft and Storm. The limit is the user's {@code Values}, which no runtime can
 * avoid.
 *
 * <pre>
 *   valuesOnly       new Values(word)
 *   untracked        EngineTuple.untracked(...)                         topology.acker.executors: 0
 *   tracked          EngineTuple.first(...)                             with the edge that follows from its root
 *   child            EngineTuple.child(...)                             anchored to one tuple
 *   stormUnanchored  new TupleImpl(..., MessageId.makeUnanchored())       topology.acker.executors: 0
 *   stormAnchored    new TupleImpl(..., MessageId.makeRootId(root, edge)) a hash map and two random ids for each tuple
 * </pre>
 *
 * <p>One operation is one tuple. Run with {@code -prof gc} to see the allocated bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TupleBenchmark {

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

    private final Origin origin = Origin.of("spout", "default", 1, new Fields("word"), context);
    private final EdgeIds edges = new EdgeIds(1);
    private final EngineTuple parent = EngineTuple.first(origin, new Values("parent"), 1, 1);
    private long root;

    private String word = "0123456789";

    /** {@return the values alone, as a user's spout makes them} */
    @Benchmark
    public Values valuesOnly() {
        return new Values(word);
    }

    /** {@return our tuple, tracked by nobody} */
    @Benchmark
    public EngineTuple untracked() {
        return EngineTuple.untracked(origin, new Values(word));
    }

    /** {@return our tuple, the first of a tracked tree} */
    @Benchmark
    public EngineTuple tracked() {
        long next = ++root;
        return EngineTuple.first(origin, new Values(word), 1, next);
    }

    /** {@return our tuple, anchored to another, which lives as long as the benchmark} */
    @Benchmark
    public EngineTuple child() {
        return parent.child(origin, new Values(word), edges.next(), 1);
    }

    /** {@return Storm's tuple, tracked by nobody} */
    @Benchmark
    public TupleImpl stormUnanchored() {
        return new TupleImpl(context, new Values(word), "spout", 1, "default", MessageId.makeUnanchored());
    }

    /** {@return Storm's tuple, the root of a tracked tree} */
    @Benchmark
    public TupleImpl stormAnchored() {
        long root = MessageId.generateId(random);
        long edge = MessageId.generateId(random);
        return new TupleImpl(context, new Values(word), "spout", 1, "default", MessageId.makeRootId(root, edge));
    }
}
