package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestContexts;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tuples from one task to another on one stream arrive in the order in which they were emitted, whatever happens. */
class OrderingTest {

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final Queue<String> outOfOrder = new ConcurrentLinkedQueue<>();
    private final AtomicLong arrived = new AtomicLong();

    /** Emits (task, 0), (task, 1)... to all. */
    private IRichSpout counting(Feed feed) {
        return Local.spout(() -> new Feed.Instance(feed) {
            private long number;

            @Override
            protected void send(Object message, Object messageId) {
                out.emit(new Values(context.getThisTaskId(), number++), messageId);
            }
        });
    }

    /** Passes on (its task, 0), (its task, 1)... for each tuple of a source, which must come in order. */
    private IRichBolt checking(LongConsumer perTuple) {
        return Local.bolt(() -> new TestBolt("task", "number") {
            private final transient Map<String, Long> last = new HashMap<>();
            private long number;

            @Override
            public void execute(Tuple tuple) {
                String source = tuple.getSourceTask() + "/" + tuple.getSourceStreamId();
                long current = tuple.getLong(1);
                long before = last.getOrDefault(source, -1L);
                if (current <= before) {
                    outOfOrder.add(context.getThisTaskId() + " got " + current + " after " + before + " of " + source);
                }
                last.put(source, current);
                perTuple.accept(current);
                out.emit(tuple, new Values(context.getThisTaskId(), number++));
                out.ack(tuple);
                arrived.incrementAndGet();
            }
        });
    }

    private void build(Feed feed, LongConsumer inTheMiddle) {
        topology.setSpout("spout", counting(feed), 2).setNumTasks(3);
        topology.setBolt("a", checking(n -> {}), 3).shuffleGrouping("spout");
        topology.setBolt("b", checking(inTheMiddle), 2).setNumTasks(4).allGrouping("a");
        topology.setBolt("c", checking(n -> {}), 3).shuffleGrouping("b").shuffleGrouping("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldKeepOrderAcrossLoops(int loops) {
        Feed feed = Feed.of(20_000);
        build(feed, n -> {});
        TestEngine engine = topology.run(Map.of("updraft.loops", loops));
        engine.await("all acked", feed::isSettled);
        assertThat(outOfOrder).isEmpty();
        assertThat(feed.failed).isEmpty();
        assertThat(arrived).hasValue(20_000 + 4 * 20_000 + 4 * 20_000 + 20_000);
    }

    @Test
    void shouldKeepOrderThroughExecutorsThatLeaveTheirLoopAndComeBack() {
        Feed feed = Feed.of(6_000);
        AtomicInteger blocked = new AtomicInteger();
        // Most tuples at once, now and then one that blocks: so it leaves, behaves, comes back and leaves again.
        build(feed, n -> {
            if (n % 1_500 == 700) {
                blocked.incrementAndGet();
                LockSupport.parkNanos(30_000_000);
            }
        });
        TestEngine engine = topology.run(Map.of("updraft.loops", 2));
        engine.await("all acked", feed::isSettled);
        assertThat(outOfOrder).isEmpty();
        assertThat(feed.failed).isEmpty();
        assertThat(blocked.get()).isPositive();
        engine.await("back on its loop", () -> engine.component("b").ownThreads() == 0);
    }

    @Test
    void shouldKeepOrderThroughASpoutThatBlocks() {
        AtomicInteger next = new AtomicInteger();
        topology.setSpout("spout", Local.spout(() -> new TestSpout("task", "number") {
            @Override
            public void nextTuple() {
                long number = next.getAndIncrement();
                if (number >= 2_000) {
                    return;
                }
                out.emit(new Values(0, number));
                if (number % 500 == 250) {
                    LockSupport.parkNanos(20_000_000);
                }
            }
        }));
        topology.setBolt("a", checking(n -> {}), 2).allGrouping("spout");
        TestEngine engine = topology.run();
        engine.await("all arrived", () -> arrived.get() == 4_000);
        assertThat(outOfOrder).isEmpty();
    }

    @Test
    void shouldKeepOrderAndLoseNothingWhileExecutorsMoveBetweenLoops() throws InterruptedException {
        Feed feed = Feed.of(40_000);
        build(feed, n -> {});
        Map<String, Object> conf = new HashMap<>(Map.of("updraft.loops", 3, "updraft.rebalance", false));
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan("test", "test-1", topology.createTopology(), conf, settings);
        EngineOptions options =
                new EngineOptions("test", "test-1", new TestContexts(), EngineClock.SYSTEM, 7, e -> {}, e -> {});
        TopologyLifecycle lifecycle = new TopologyLifecycle();
        LoopThreads threads = new LoopThreads(lifecycle, error -> {});
        LoopAssembly assembly = LoopAssembly.of(
                plan,
                settings,
                options,
                WorkerOptions.ALONE,
                letter -> {},
                threads,
                lifecycle,
                error -> lifecycle.stop());
        threads.start(assembly.loops());
        try {
            lifecycle.activate();
            assembly.loops().forEach(EventLoop::ring);
            SplittableRandom random = new SplittableRandom(11);
            int moves = 0;
            while (!feed.isSettled() && moves < 20_000) {
                ExecutorSlot slot =
                        assembly.slots().get(random.nextInt(assembly.slots().size()));
                EventLoop to = assembly.loops().get(random.nextInt(3));
                boolean[] moved = new boolean[1];
                threads.whilePaused(() -> {
                    if (!slot.isDetached() && slot.loop() != to) {
                        assembly.move(slot, to);
                        moved[0] = true;
                    }
                });
                moves += moved[0] ? 1 : 0;
            }
            Await.until("all acked", feed::isSettled, () -> new SnapshotReader(assembly).read());
            assertThat(moves).isPositive();
            assertThat(outOfOrder).isEmpty();
            assertThat(feed.failed).isEmpty();
            assertThat(feed.acked).doesNotHaveDuplicates().hasSize(40_000);
        } finally {
            lifecycle.stop();
            assertThat(threads.awaitEnd(50_000, 1_000)).isEmpty();
        }
    }
}
