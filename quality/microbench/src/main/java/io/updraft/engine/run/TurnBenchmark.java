package io.updraft.engine.run;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a tuple in a bolt that emits one anchored tuple and acks: turns of a real executor with a real
 * collector, without the event loop. The limit is the work that no runtime can avoid: creating the tuples and storing them in
 * an array.
 *
 * <pre>
 *   arrayOnly  new tuple ─► slots[] ─► new Values, new tuple ─► slots[]
 *   turn       new tuple ─► Batch ─► Executor.turn ─► execute: emit, ack ─► outbox
 * </pre>
 *
 * <p>One operation is one executed tuple. Both methods check the number of emitted tuples.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TurnBenchmark {

    static final int TUPLES = 256;

    private static final int SPOUT_EXECUTOR = 2;

    /** Whether the tuples belong to trees. */
    @Param({"true", "false"})
    public boolean tracked;

    private final Origin origin = Origin.of("spout", "default", 3, new Fields("word"), null);
    private final Values values = new Values("word");
    private final EngineTuple[] slots = new EngineTuple[2 * TUPLES];
    private Batch spare = new Batch(TUPLES, 0);
    private Executor executor;
    private long root;

    /** Creates the state of one thread. */
    public TurnBenchmark() {}

    /** Passes on its input. */
    public static final class PassOn extends BaseRichBolt {
        private static final long serialVersionUID = 1L;

        private transient OutputCollector out;

        /** Creates a bolt. */
        public PassOn() {}

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            out = collector;
        }

        @Override
        public void execute(Tuple input) {
            out.emit(input, new Values(input.getValue(0)));
            out.ack(input);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Is only there because a topology has to have one. */
    public static final class Nothing extends BaseRichSpout {
        private static final long serialVersionUID = 1L;

        /** Creates a spout. */
        public Nothing() {}

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {}

        @Override
        public void nextTuple() {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Seats the executors of a small topology on a loop that does not run. */
    @Setup
    public void assemble() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", new Nothing());
        topology.setBolt("bolt-1", new PassOn()).shuffleGrouping("spout");
        topology.setBolt("bolt-2", new PassOn()).shuffleGrouping("bolt-1");
        Map<String, Object> conf = Map.of(EngineSettings.LOOPS, 1);
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan("bench", "bench-1", topology.createTopology(), conf, settings);
        TopologyLifecycle lifecycle = new TopologyLifecycle();
        EngineOptions options = new EngineOptions(
                "bench", "bench-1", (p, c, t, d) -> null, EngineClock.SYSTEM, 1, error -> {}, error -> {});
        LoopAssembly assembly = LoopAssembly.of(
                plan,
                settings,
                options,
                WorkerOptions.ALONE,
                letter -> {},
                new LoopThreads(lifecycle, error -> {}),
                lifecycle,
                report -> {
                    throw new IllegalStateException(report.error());
                });
        lifecycle.activate();
        executor = assembly.slots().get(0).executor();
        executor.turn(System.nanoTime());
    }

    private EngineTuple input() {
        if (!tracked) {
            return EngineTuple.untracked(origin, values);
        }
        long next = ++root;
        return EngineTuple.first(origin, values, SPOUT_EXECUTOR, next);
    }

    /** {@return how many tuples were made} */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public int arrayOnly() {
        for (int i = 0; i < TUPLES; i++) {
            slots[i] = input();
        }
        int count = 0;
        for (int i = 0; i < TUPLES; i++) {
            slots[TUPLES + i] = EngineTuple.untracked(origin, new Values(slots[i].getValue(0)));
            count++;
        }
        return checked(count);
    }

    /** {@return how many tuples were emitted} */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public int turn() {
        Batch in = spare;
        for (int i = 0; i < TUPLES; i++) {
            in.add(input(), 1);
        }
        spare = executor.input().exchange(in, false);
        while (!executor.input().isEmpty()) {
            executor.turn(System.nanoTime());
        }
        Batch out = executor.outbox().batch();
        int count = out.tupleCount();
        out.clear();
        return checked(count);
    }

    private static int checked(int count) {
        if (count != TUPLES) {
            throw new IllegalStateException(count + " tuples, not " + TUPLES);
        }
        return count;
    }
}
