package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestContexts;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Changes of the number of executors under load. */
@SuppressWarnings("serial")
class RebalanceTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Map<String, Object> TWO_LOOPS = Map.of("updraft.loops", 2);

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final AtomicInteger prepared = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    @AutoClose("shutdownNow")
    private final ExecutorService pool = Executors.newFixedThreadPool(3);

    @AutoClose("shutdownNow")
    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();

    private static Object[] numbers(long n) {
        return LongStream.range(0, n).boxed().toArray();
    }

    @Test
    void shouldAckEachMessageOnceWhileExecutorsComeAndGo() throws Exception {
        Feed feed = Feed.endless();
        topology.setSpout("spout", feed.spout(), 2).setNumTasks(4).setMaxSpoutPending(300);
        topology.setBolt("order", bolt(Ordered::new), 1).setNumTasks(8).fieldsGrouping("spout", new Fields("v"));
        topology.setBolt("hold", bolt(Holding::new), 3).setNumTasks(6).shuffleGrouping("order");
        TestEngine run = topology.run(TWO_LOOPS);
        Random random = new Random(5);
        for (int round = 0; round < 12; round++) {
            long before = feed.ackCount();
            run.await("work is done between the changes", () -> feed.ackCount() > before + 500);
            Map<String, Integer> counts = new HashMap<>();
            counts.put("order", 1 + random.nextInt(8));
            counts.put("hold", 1 + random.nextInt(6));
            if (round % 3 == 2) {
                counts.put("spout", 1 + random.nextInt(4));
            }
            assertThat(run.engine.rebalance(counts, LIMIT)).isTrue();
            counts.forEach((component, count) -> {
                assertThat(run.engine.plan().component(component).executors()).hasSize(count);
                assertThat(run.component(component).executors()).isEqualTo(count);
            });
        }
        long last = feed.stop();
        run.await("all is acked", feed::isSettled);

        assertThat(feed.failed).isEmpty();
        assertThat(feed.acked.toArray()).containsExactlyInAnyOrder(numbers(last));
        assertThat(wrong).isEmpty();
        assertThat(prepared).as("instances").hasValue(8 + 6);
        assertThat(run.component("order").executed()).isEqualTo(last);
        assertThat(run.component("spout").acked()).isEqualTo(last);
        assertThat(run.component("order").tasks()).isEqualTo(8);
        assertThat(run.engine.awaitIdle(Duration.ofSeconds(50))).isTrue();
        assertThat(run.errors).isEmpty();
    }

    @Test
    void shouldLoseNoTupleThatNobodyTracks() throws Exception {
        Feed feed = Feed.untracked(200_000);
        AtomicLong seen = new AtomicLong();
        topology.setSpout("spout", feed.spout(), 1).setNumTasks(2);
        topology.setBolt("pass", TestBolt.passOn(), 1).setNumTasks(4).shuffleGrouping("spout");
        topology.setBolt("count", TestBolt.of((tuple, out) -> seen.incrementAndGet()), 1)
                .setNumTasks(4)
                .shuffleGrouping("pass");
        TestEngine run = topology.run(TWO_LOOPS);
        for (int count : new int[] {4, 2, 3, 1}) {
            assertThat(run.engine.rebalance(Map.of("spout", 1 + count / 4, "pass", count, "count", 5 - count), LIMIT))
                    .isTrue();
        }
        run.await("all are seen", () -> seen.get() == 200_000);
        assertThat(run.engine.awaitIdle(Duration.ofSeconds(50))).isTrue();
        assertThat(run.component("count").executed()).isEqualTo(200_000);
    }

    @Test
    void shouldGiveABoltThatBlocksMoreThreads() throws Exception {
        Feed feed = Feed.endless();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        topology.setSpout("spout", feed.spout()).setMaxSpoutPending(50);
        topology.setBolt(
                        "slow",
                        TestBolt.of(ackAfter(tuple -> {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            block();
                            inside.decrementAndGet();
                        })),
                        1)
                .setNumTasks(4)
                .shuffleGrouping("spout");
        TestEngine run = topology.run(TWO_LOOPS);
        run.await("the bolt runs apart", () -> run.component("slow").ownThreads() == 1 && feed.ackCount() > 3);
        assertThat(most).hasValue(1);

        assertThat(run.engine.rebalance(Map.of("slow", 4), LIMIT)).isTrue();
        run.await("four block at once", () -> most.get() == 4);
        assertThat(run.engine.rebalance(Map.of("slow", 2), LIMIT)).isTrue();
        long last = feed.stop();
        run.await("all is acked", feed::isSettled);

        assertThat(feed.acked.toArray()).containsExactlyInAnyOrder(numbers(last));
    }

    @Test
    void shouldFailAndReplayWhatASpoutHasInFlightForTooLong() throws Exception {
        Feed feed = Feed.replaying(100);
        Queue<Runnable> acks = new ConcurrentLinkedQueue<>();
        AtomicInteger kept = new AtomicInteger();
        topology.setSpout("spout", feed.spout(), 1).setNumTasks(2);
        topology.bolt("keep", "spout", (tuple, out) -> {
            if (kept.incrementAndGet() <= 100) {
                acks.add(() -> out.ack(tuple));
            } else {
                out.ack(tuple);
            }
        });
        TestEngine run = topology.run(TWO_LOOPS);
        run.await("all are in flight", () -> kept.get() == 100);

        assertThat(run.engine.rebalance(Map.of("spout", 2), Duration.ofMillis(50)))
                .isTrue();
        // These come too late, for executors that are no more.
        acks.forEach(Runnable::run);
        run.await("all is acked", () -> feed.ackCount() == 100);

        assertThat(feed.failed.toArray()).containsExactlyInAnyOrder(numbers(100));
        assertThat(feed.acked.toArray()).containsExactlyInAnyOrder(numbers(100));
        assertThat(run.engine.awaitIdle(Duration.ofSeconds(50))).isTrue();
    }

    @Test
    void shouldServeThreadsOfTheUsersThroughout() throws Exception {
        Feed feed = Feed.endless();
        topology.setSpout("spout", feed.spout(), 1).setNumTasks(2).setMaxSpoutPending(200);
        topology.setBolt(
                        "async",
                        TestBolt.of((tuple, out) -> pool.execute(() -> {
                            out.emit(tuple, new Values(tuple.getValue(0)));
                            out.ack(tuple);
                        })),
                        1)
                .setNumTasks(4)
                .shuffleGrouping("spout");
        topology.setBolt("ack", TestBolt.ack()).shuffleGrouping("async");
        TestEngine run = topology.run(TWO_LOOPS);
        for (int round = 0; round < 8; round++) {
            long before = feed.ackCount();
            run.await("work is done between the changes", () -> feed.ackCount() > before + 500);
            assertThat(run.engine.rebalance(Map.of("async", 1 + round % 4, "spout", 1 + round % 2), LIMIT))
                    .isTrue();
        }
        long last = feed.stop();
        run.await("all is acked", feed::isSettled);

        assertThat(feed.failed).isEmpty();
        assertThat(feed.acked.toArray()).containsExactlyInAnyOrder(numbers(last));
        assertThat(run.component("async").acked()).isEqualTo(last);
    }

    @Test
    void shouldTakeWrappersAlongAndDoAllThatIsOrdered() throws Exception {
        Feed feed = Feed.endless();
        AtomicLong wrapped = new AtomicLong();
        AtomicLong obeyed = new AtomicLong();
        Controls controls = new Controls();
        topology.setSpout("spout", feed.spout()).setMaxSpoutPending(100);
        topology.setBolt("pass", TestBolt.passOn(), 1).setNumTasks(4).shuffleGrouping("spout");
        topology.setBolt("ack", TestBolt.ack(), 1).setNumTasks(2).shuffleGrouping("pass");
        TestEngine run = topology.run(TWO_LOOPS, controls);
        run.await("all are prepared", () -> controls.of("pass").size() == 4 && feed.ackCount() > 100);
        for (TaskControl control : controls.of("pass")) {
            control.run(() -> control.wrap(counting(wrapped)));
        }
        run.await("one is wrapped", () -> wrapped.get() > 0);
        long ordered = 0;
        for (int round = 0; round < 8; round++) {
            for (TaskControl control : controls.of("pass")) {
                ordered++;
                control.run(obeyed::incrementAndGet);
            }
            assertThat(run.engine.rebalance(Map.of("pass", 1 + round % 4), LIMIT))
                    .isTrue();
        }
        long all = ordered;
        run.await("all is done that was ordered", () -> obeyed.get() == all);
        long emitted = feed.stop();
        run.await("all is acked", feed::isSettled);
        long before = wrapped.get();
        feed.limit(emitted + 5000);
        run.await("all is acked", feed::isSettled);

        assertThat(wrapped.get() - before).isEqualTo(5000);
        assertThat(feed.acked.toArray()).containsExactlyInAnyOrder(numbers(emitted + 5000));
    }

    @Test
    void shouldChangeATopologyThatWasNeverActive() throws Exception {
        Feed feed = Feed.of(1000);
        topology.setSpout("spout", feed.spout(), 1).setNumTasks(2);
        topology.setBolt("order", bolt(Ordered::new), 1).setNumTasks(2).shuffleGrouping("spout");
        topology.setBolt("ack", TestBolt.ack()).shuffleGrouping("order");
        TestEngine run = topology.start(TWO_LOOPS);
        assertThat(run.engine.rebalance(Map.of("spout", 2, "order", 2), LIMIT)).isTrue();
        run.engine.activate();
        run.await("all is acked", feed::isSettled);
        run.await("both are prepared", () -> prepared.get() == 2);
    }

    @Test
    void shouldHaveNoMoreExecutorsThanTasks() throws Exception {
        topology.setSpout("spout", Feed.of(0).spout(), 1);
        topology.setBolt("ack", TestBolt.ack(), 2).shuffleGrouping("spout");
        TestEngine run = topology.run();
        assertThat(run.engine.rebalance(Map.of("ack", 7), LIMIT)).isTrue();
        assertThat(run.component("ack").executors()).isEqualTo(2);
        assertThatThrownBy(() -> run.engine.rebalance(Map.of("ack", 0), LIMIT))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("component 'ack' cannot have 0 executors: give it at least 1");
        assertThatThrownBy(() -> run.engine.rebalance(Map.of("akc", 1), LIMIT))
                .isInstanceOf(InvalidTopology.class)
                .hasMessageContaining("there is no component 'akc'");
    }

    private static void block() {
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private IRichBolt bolt(Supplier<? extends IRichBolt> instances) {
        return Local.bolt(instances);
    }

    private static TaskWrapper counting(AtomicLong executed) {
        return new TaskWrapper() {
            @Override
            public IBolt wrapBolt(IBolt bolt) {
                return new IBolt() {
                    @Override
                    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {}

                    @Override
                    public void execute(Tuple input) {
                        executed.incrementAndGet();
                        bolt.execute(input);
                    }

                    @Override
                    public void cleanup() {
                        bolt.cleanup();
                    }
                };
            }
        };
    }

    /** The engine's hold on each instance, by component. */
    private static final class Controls implements ContextFactory {
        private final TestContexts contexts = new TestContexts();
        private final Map<String, Queue<TaskControl>> controls = new ConcurrentHashMap<>();

        Queue<TaskControl> of(String component) {
            return controls.computeIfAbsent(component, id -> new ConcurrentLinkedQueue<>());
        }

        @Override
        public TopologyContext create(
                Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData) {
            return contexts.create(plan, component, taskId, executorData);
        }

        @Override
        public TopologyContext create(
                Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData, TaskControl control) {
            of(component.id()).add(control);
            return create(plan, component, taskId, executorData);
        }
    }

    /** Passes on, and complains when a task's messages come in another order than they were sent, or from two threads. */
    private final class Ordered extends TestBolt {
        private final transient Map<Integer, Long> last = new HashMap<>();
        private int inside;

        Ordered() {
            super("v");
        }

        @Override
        protected void prepared() {
            prepared.incrementAndGet();
        }

        @Override
        public void execute(Tuple input) {
            if (++inside != 1) {
                wrong.add("two threads at once");
            }
            Long number = input.getLong(0);
            Long before = last.put(input.getSourceTask(), number);
            if (before != null && before >= number) {
                wrong.add(number + " after " + before + " of task " + input.getSourceTask());
            }
            out.emit(input, new Values(number));
            out.ack(input);
            inside--;
        }
    }

    /** Holds a few tuples and acks them later, from whichever executor it is on then. */
    private final class Holding extends TestBolt {
        private final transient List<Tuple> held = new ArrayList<>();

        @Override
        protected void prepared() {
            prepared.incrementAndGet();
        }

        @Override
        public synchronized void execute(Tuple input) {
            held.add(input);
            if (held.size() >= 5 || input.getLong(0) % 3 == 0) {
                release();
            } else {
                // What nothing more comes after.
                later.schedule(this::release, 20, TimeUnit.MILLISECONDS);
            }
        }

        private synchronized void release() {
            held.forEach(out::ack);
            held.clear();
        }
    }
}
