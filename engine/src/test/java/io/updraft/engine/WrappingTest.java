package io.updraft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.ForwardingSpout;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestContexts;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Wrappers between the engine and the instances of a component see all calls, and no tuple is lost through them. */
class WrappingTest {

    private static final int MESSAGES = 20_000;

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final Counts counts = new Counts();
    private final Map<Integer, TaskControl> controls = new ConcurrentHashMap<>();

    /** Tasks that are wrapped from the beginning. */
    private Set<Integer> wrapped = Set.of();

    /** Makes contexts, and wraps. */
    private final class Contexts implements ContextFactory {
        private final TestContexts contexts = new TestContexts();

        @Override
        public TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> data) {
            return contexts.create(plan, component, taskId, data);
        }

        @Override
        public TopologyContext create(
                Plan plan, ComponentPlan component, int taskId, Map<String, Object> data, TaskControl control) {
            if (control != TaskControl.NONE) {
                controls.put(taskId, control);
                if (wrapped.contains(taskId)) {
                    control.wrap(counts);
                }
            }
            return create(plan, component, taskId, data);
        }
    }

    /** Counts what goes through it. */
    private static final class Counts implements TaskWrapper {
        private final LongAdder executed = new LongAdder();
        private final LongAdder emitted = new LongAdder();
        private final LongAdder chosen = new LongAdder();
        private final LongAdder acked = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder spoutAcked = new LongAdder();
        private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

        @Override
        public IBolt wrapBolt(IBolt bolt) {
            return new IBolt() {
                @Override
                public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
                    throw new AssertionError("prepared already");
                }

                @Override
                public void execute(Tuple input) {
                    executed.increment();
                    threads.add(Thread.currentThread());
                    bolt.execute(input);
                }

                @Override
                public void cleanup() {
                    bolt.cleanup();
                }
            };
        }

        @Override
        public ISpout wrapSpout(ISpout spout) {
            return new ForwardingSpout(spout) {
                @Override
                public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
                    throw new AssertionError("opened already");
                }

                @Override
                public void ack(Object messageId) {
                    spoutAcked.increment();
                    super.ack(messageId);
                }
            };
        }

        @Override
        public IOutputCollector wrapCollector(IOutputCollector engine) {
            return new OutputCollector(engine) {
                @Override
                public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
                    List<Integer> tasks = super.emit(streamId, anchors, values);
                    emitted.increment();
                    chosen.add(tasks.size());
                    return tasks;
                }

                @Override
                public void ack(Tuple input) {
                    acked.increment();
                    super.ack(input);
                }

                @Override
                public void fail(Tuple input) {
                    failed.increment();
                    super.fail(input);
                }
            };
        }

        @Override
        public ISpoutOutputCollector wrapCollector(ISpoutOutputCollector engine) {
            return new SpoutOutputCollector(engine) {
                @Override
                public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
                    List<Integer> tasks = super.emit(streamId, values, messageId);
                    emitted.increment();
                    chosen.add(tasks.size());
                    return tasks;
                }
            };
        }
    }

    /** Task 1 is the end's, 2 and 3 are of one executor of the middle's, 4 is the spout's. */
    private TestEngine run(Feed feed) {
        topology.setSpout("spout", feed.spout()).setMaxSpoutPending(500);
        topology.setBolt("middle", TestBolt.passOn(), 1).setNumTasks(2).shuffleGrouping("spout");
        topology.setBolt("end", TestBolt.ack()).allGrouping("middle");
        return topology.run(Map.of(), new Contexts());
    }

    @Test
    void shouldShowAWrapperAllThatAnInstanceDoes() {
        wrapped = Set.of(2, 3, 4);
        Feed feed = Feed.of(MESSAGES);
        TestEngine test = run(feed);
        test.await("all are acked", feed::isSettled);

        assertThat(feed.acked).containsExactlyInAnyOrder(numbers());
        assertThat(counts.executed.sum()).isEqualTo(MESSAGES);
        assertThat(counts.acked.sum()).isEqualTo(MESSAGES);
        assertThat(counts.emitted.sum()).isEqualTo(2L * MESSAGES);
        assertThat(counts.chosen.sum()).isEqualTo(2L * MESSAGES);
        assertThat(counts.spoutAcked.sum()).isEqualTo(MESSAGES);
        assertThat(test.component("middle").acked()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldLeaveTheOtherTasksOfAnExecutorAlone() {
        wrapped = Set.of(2);
        Feed feed = Feed.of(MESSAGES);
        TestEngine test = run(feed);
        test.await("all are acked", feed::isSettled);

        assertThat(feed.acked).containsExactlyInAnyOrder(numbers());
        assertThat(counts.executed.sum()).isEqualTo(counts.acked.sum()).isEqualTo(counts.emitted.sum());
        assertThat(counts.executed.sum()).isBetween(MESSAGES / 4L, MESSAGES * 3L / 4);
        assertThat(test.component("middle").executed()).isEqualTo(MESSAGES);
    }

    @Test
    void shouldWrapAndUnwrapWhileItRunsWithoutLoss() {
        Feed feed = Feed.endless();
        TestEngine test = run(feed);
        test.await("all are open", () -> controls.size() == 4);
        for (int i = 1; i <= 20; i++) {
            boolean on = i % 2 == 1;
            long seen = counts.executed.sum();
            controls.values().forEach(control -> control.run(() -> control.wrap(on ? counts : null)));
            long acked = feed.ackCount();
            test.await("it goes on", () -> feed.ackCount() > acked + 1000);
            if (on) {
                test.await("the wrapper sees it", () -> counts.executed.sum() > seen);
            }
        }
        long last = feed.stop();
        test.await("all are acked", feed::isSettled);

        assertThat(feed.acked).doesNotHaveDuplicates().hasSize((int) last);
        assertThat(counts.failed.sum()).isZero();
    }

    @Test
    void shouldActOnTheThreadOfTheInstanceThoughNothingComesIn() throws Exception {
        Feed feed = Feed.of(0);
        TestEngine test = run(feed);
        test.await("all are open", () -> controls.size() == 4);
        Set<Integer> done = ConcurrentHashMap.newKeySet();
        controls.forEach((task, control) -> control.run(() -> {
            if (Thread.currentThread().getName().startsWith("updraft-")) {
                done.add(task);
            }
        }));

        test.await("all have obeyed", () -> done.size() == 4);
    }

    @Test
    void shouldShowAWrapperWhatOtherThreadsDo() {
        wrapped = Set.of(2);
        Feed feed = topology.feed(Feed.of(1000));
        topology.bolt(
                "middle",
                "spout",
                (tuple, out) -> new Thread(() -> {
                            out.emit(tuple, new Values(tuple.getValue(0)));
                            out.ack(tuple);
                        })
                        .start());
        topology.setBolt("end", TestBolt.ack()).shuffleGrouping("middle");
        TestEngine test = topology.run(Map.of(), new Contexts());
        test.await("all are acked", feed::isSettled);

        assertThat(feed.ackCount()).isEqualTo(1000);
        assertThat(counts.emitted.sum()).isEqualTo(1000);
        assertThat(counts.acked.sum()).isEqualTo(1000);
    }

    private static Object[] numbers() {
        return LongStream.range(0, MESSAGES).boxed().toArray();
    }
}
