package io.updraft.engine.run;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.SimClock;
import io.updraft.engine.testing.TestBolt;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

/** The longest time that the turns of executors take in one round of a loop. */
class RoundTest {

    private static final int BOLTS = 20;
    private static final int MESSAGES = 20_000;
    private static final long CALL_NANOS = 100_000;

    /** Bolts' and spouts' share of a round, and what their last turns take beyond that. */
    private static final long BOUND_NANOS = 15_000_000;

    private final SimClock clock = new SimClock();
    private final TopologyLifecycle lifecycle = new TopologyLifecycle();
    private final AtomicInteger executed = new AtomicInteger();

    @Test
    void shouldLookAtWhatComesInAlthoughMuchIsQueued() {
        Feed feed = Feed.of(MESSAGES);
        EventLoop loop = loop(feed);
        long longest = 0;
        for (int round = 0; !feed.isSettled(); round++) {
            assertThat(round).as("rounds without an end").isLessThan(100_000);
            long before = clock.now();
            loop.doWork();
            if (feed.ackCount() > MESSAGES / 2) {
                // Until it is known how long a call takes, a single turn may take longer.
                longest = Math.max(longest, clock.now() - before);
            }
        }
        assertThat(feed.ackCount()).isEqualTo(MESSAGES);
        assertThat(executed).hasValue(MESSAGES * BOLTS);
        assertThat(longest).isLessThan(BOUND_NANOS);
    }

    private EventLoop loop(Feed feed) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", feed.spout());
        topology.setBolt(
                        "bolt",
                        TestBolt.of(ackAfter(tuple -> {
                            clock.advance(CALL_NANOS);
                            executed.incrementAndGet();
                        })),
                        BOLTS)
                .allGrouping("spout");
        Map<String, Object> conf = new HashMap<>(Map.of(EngineSettings.LOOPS, 1, Config.TOPOLOGY_ACKER_EXECUTORS, 1));
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan("round", "round-1", topology.createTopology(), conf, settings);
        EngineOptions options =
                new EngineOptions(plan.name(), plan.id(), new SimContexts(), clock, 1, report -> {}, report -> {});
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
        return assembly.loops().get(0);
    }
}
