package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimClock;
import io.updraft.engine.testing.TestSpout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Overload: spouts that always have more messages, and loops with very unequal shares of the time. No component emits more
 * tuples than it receives, so the tuples in flight must stay within the limits of queues and lanes.
 */
@SuppressWarnings("serial")
class OverloadTest {

    private static final int LOOPS = 3;
    private static final int HIGH_WATER = 64;
    private static final int STEPS = 4000;

    /** A way between two loops when it is full: the batches in its ring, of at most 512 tuples each. */
    private static final int LANE = 64 * 512;

    /** What an executor may be ahead of the first sign of congestion: what spouts emit in one round, and in one turn. */
    private static final int ROUND = 1024 + 2048;

    /**
     * A loop takes in all that has come before it says that this is too much; by then as much may be on its way again. The
     * most that was ever seen is 39,000; when spouts were also given the turns of bolts it was 5,400,000.
     */
    private static final long BOUND = 2L * (LANE + ROUND);

    private static long sent;
    private static long taken;

    private final TopologyLifecycle lifecycle = new TopologyLifecycle();
    private final SimClock clock = new SimClock();

    @BeforeEach
    void forget() {
        sent = 0;
        taken = 0;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldBoundWhatIsInFlightInAChain(long seed) {
        TopologyBuilder builder = spouts();
        bolt(builder, "a", 0).shuffleGrouping("spout");
        bolt(builder, "b", 0).shuffleGrouping("a");
        bolt(builder, "c", 0).fieldsGrouping("b", new Fields("hops"));

        run(builder, seed);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldNeitherGrowNorDeadlockInACycle(long seed) {
        TopologyBuilder builder = spouts();
        bolt(builder, "a", 10).shuffleGrouping("spout").shuffleGrouping("b");
        bolt(builder, "b", 10).shuffleGrouping("a");

        run(builder, seed);
    }

    private void run(TopologyBuilder builder, long seed) {
        Map<String, Object> conf = new HashMap<>();
        conf.put(EngineSettings.LOOPS, LOOPS);
        conf.put(EngineSettings.QUEUE_HIGH_WATER, HIGH_WATER);
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, seed % 2);
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan("overload", "overload-1", builder.createTopology(), conf, settings);
        EngineOptions options =
                new EngineOptions(plan.name(), plan.id(), new SimContexts(), clock, seed, report -> {}, report -> {});
        LoopAssembly assembly = LoopAssembly.of(
                plan,
                settings,
                options,
                WorkerOptions.ALONE,
                letter -> {},
                new SingleThreadRuntime(),
                lifecycle,
                report -> {});
        lifecycle.activate();
        assertThat(mostInFlight(assembly.loops(), new SeededRandom(seed))).isBetween(1L, BOUND);
        lifecycle.deactivate();
        drain(assembly.loops());
        assertThat(taken).isEqualTo(sent);
        assertThat(new SnapshotReader(assembly).isIdle()).isTrue();
    }

    private long mostInFlight(List<EventLoop> loops, SeededRandom chance) {
        int[] shares = new int[loops.size()];
        long most = 0;
        for (int step = 0; step < STEPS; step++) {
            if (step % 500 == 0) {
                for (int i = 0; i < shares.length; i++) {
                    shares[i] = chance.oneOf(1, 10, 500);
                }
            }
            loops.get(chance.weighted(shares)).doWork();
            clock.advance(1_000_000);
            most = Math.max(most, sent - taken);
        }
        return most;
    }

    private void drain(List<EventLoop> loops) {
        int work;
        do {
            work = 0;
            for (EventLoop loop : loops) {
                work += loop.doWork();
            }
            clock.advance(1_000_000);
        } while (work > 0);
    }

    private static TopologyBuilder spouts() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new Endless(), 2);
        return builder;
    }

    private static BoltDeclarer bolt(TopologyBuilder builder, String id, int hops) {
        return builder.setBolt(id, new PassOn(hops), 2);
    }

    /** Always has another. */
    private static final class Endless extends TestSpout {
        private Endless() {
            super("hops");
        }

        @Override
        public void nextTuple() {
            sent += out.emit(new Values(0), sent).size();
        }
    }

    /** Passes on what it gets, in a cycle a number of times. */
    private static final class PassOn extends BaseBasicBolt {
        private final int mostHops;

        private PassOn(int mostHops) {
            this.mostHops = mostHops;
        }

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            taken++;
            int hops = input.getInteger(0) + 1;
            if (mostHops == 0 || hops < mostHops) {
                sent += collector.emit(new Values(hops)).size();
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("hops"));
        }
    }
}
