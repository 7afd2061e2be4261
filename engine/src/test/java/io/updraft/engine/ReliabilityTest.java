package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackIf;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestClock;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("serial")
class ReliabilityTest {

    private static final Duration LONG = Duration.ofSeconds(50);

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private static Object[] numbers(long n) {
        return LongStream.range(0, n).boxed().toArray();
    }

    /** Tuples that a bolt keeps without acking them, for the test to settle. */
    private static final class Held {
        private final Queue<Tuple> tuples = new ConcurrentLinkedQueue<>();
        private final AtomicReference<OutputCollector> out = new AtomicReference<>();

        private void take(Tuple tuple, OutputCollector collector) {
            out.set(collector);
            tuples.add(tuple);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldAckEachMessageOfAChainOnce(int loops) {
        Feed feed = topology.feed(Feed.of(20_000), 2);
        topology.setBolt("a", TestBolt.passOn(), 2).shuffleGrouping("spout");
        topology.setBolt("b", TestBolt.passOn(), 3).fieldsGrouping("a", new Fields("v"));
        topology.setBolt("c", TestBolt.ack(), 2).shuffleGrouping("b");
        TestEngine engine = topology.run(Map.of("updraft.loops", loops));
        engine.await("all acked", feed::isSettled);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(20_000));
        assertThat(feed.failed).isEmpty();
        engine.await("none in flight", () -> engine.component("spout").inFlight() == 0);
    }

    @Test
    void shouldWaitForEveryBranchOfAFanOut() {
        Feed feed = Feed.of(500);
        Map<Object, AtomicInteger> leaves = new ConcurrentHashMap<>();
        Map<Object, Integer> leavesWhenAcked = new ConcurrentHashMap<>();
        topology.setSpout("spout", Local.spout(() -> new Feed.Instance(feed) {
            @Override
            public void ack(Object messageId) {
                leavesWhenAcked.put(messageId, leaves.get(messageId).get());
                super.ack(messageId);
            }
        }));
        topology.bolt("fan", 2, "spout", (tuple, out) -> {
            for (int i = 0; i < 7; i++) {
                out.emit(tuple, new Values(tuple.getValue(0)));
            }
            out.ack(tuple);
        });
        topology.setBolt("left", TestBolt.passOn(), 2).shuffleGrouping("fan");
        topology.setBolt("right", TestBolt.passOn(), 2).allGrouping("fan");
        topology.setBolt(
                        "leaf",
                        TestBolt.of((tuple, out) -> {
                            leaves.computeIfAbsent(tuple.getValue(0), k -> new AtomicInteger())
                                    .incrementAndGet();
                            out.ack(tuple);
                        }),
                        3)
                .shuffleGrouping("left")
                .shuffleGrouping("right");
        TestEngine engine = topology.run(Map.of("updraft.loops", 3));
        engine.await("all acked", feed::isSettled);
        // 7 by way of left, 7 to each of the two tasks of right.
        assertThat(leavesWhenAcked)
                .hasSize(500)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(21));
    }

    @Test
    void shouldAckBothTreesOfAJoinOnlyAfterTheJoinedTuple() {
        Feed feed = topology.feed(Feed.of(2));
        Held joined = new Held();
        topology.setBolt("join", Local.bolt(() -> new TestBolt("v") {
                    private final transient List<Tuple> waiting = new ArrayList<>();

                    @Override
                    public void execute(Tuple tuple) {
                        waiting.add(tuple);
                        if (waiting.size() == 2) {
                            out.emit(waiting, new Values("joined"));
                            waiting.forEach(out::ack);
                        }
                    }
                }))
                .shuffleGrouping("spout");
        topology.setBolt("end", TestBolt.of(joined::take)).shuffleGrouping("join");
        TestEngine engine = topology.run();
        engine.await("joined", () -> joined.tuples.size() == 1);
        engine.await("both acked by the join", () -> engine.component("join").acked() == 2);
        assertThat(feed.acked).isEmpty();
        joined.out.get().ack(joined.tuples.remove());
        engine.await("both acked", () -> feed.ackCount() == 2);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(2));
    }

    @Test
    void shouldFailBothTreesOfAJoinThatFails() {
        Feed feed = topology.feed(Feed.of(2));
        Held held = new Held();
        topology.setBolt("join", TestBolt.of(held::take)).shuffleGrouping("spout");
        topology.setBolt("end", TestBolt.of((tuple, out) -> out.fail(tuple))).shuffleGrouping("join");
        TestEngine engine = topology.run();
        engine.await("both there", () -> held.tuples.size() == 2);
        held.out.get().emit(new ArrayList<>(held.tuples), new Values("joined"));
        engine.await("both failed", () -> feed.failCount() == 2);
        assertThat(feed.failed).containsExactlyInAnyOrder(numbers(2));
        held.tuples.forEach(held.out.get()::ack);
        assertThat(feed.acked).isEmpty();
    }

    @Test
    void shouldKeepTreesApartInALongJoinChain() {
        Feed feed = topology.feed(Feed.of(3_000), 3);
        topology.setBolt("join", Local.bolt(() -> new TestBolt("v") {
                    private final transient List<Tuple> waiting = new ArrayList<>();

                    @Override
                    public void execute(Tuple tuple) {
                        waiting.add(tuple);
                        if (waiting.size() == 3) {
                            out.emit(waiting, new Values(1));
                            out.emit(waiting, new Values(2));
                            waiting.forEach(out::ack);
                            waiting.clear();
                        }
                    }
                }))
                .globalGrouping("spout");
        topology.setBolt("join2", Local.bolt(() -> new TestBolt("v") {
                    private final transient List<Tuple> waiting = new ArrayList<>();

                    @Override
                    public void execute(Tuple tuple) {
                        // Two tuples of the same three trees: the trees must be found equal, or the edges do not
                        // cancel.
                        waiting.add(tuple);
                        if (waiting.size() == 2) {
                            out.emit(waiting, new Values(3));
                            waiting.forEach(out::ack);
                            waiting.clear();
                        }
                    }
                }))
                .globalGrouping("join");
        topology.setBolt("pass", TestBolt.passOn(), 2).shuffleGrouping("join2");
        topology.setBolt("end", TestBolt.ack(), 2).shuffleGrouping("pass");
        TestEngine engine = topology.run(Map.of("updraft.loops", 3));
        engine.await("all acked", feed::isSettled);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(3_000));
    }

    @Test
    void shouldFailAMessageWhenAnyTupleOfItsTreeFails() {
        Feed feed = topology.feed(Feed.of(1_000));
        topology.setBolt("a", TestBolt.passOn(), 2).shuffleGrouping("spout");
        topology.bolt("b", 2, "a", ackIf(tuple -> (long) tuple.getValue(0) % 3 != 0));
        TestEngine engine = topology.run();
        engine.await("all settled", feed::isSettled);
        assertThat(feed.failed).hasSize(334).allMatch(id -> (long) id % 3 == 0);
        assertThat(feed.acked).hasSize(666).noneMatch(id -> (long) id % 3 == 0);
    }

    @Test
    void shouldReplayUntilAMessageIsAcked() {
        Feed feed = topology.feed(Feed.replaying(1_000));
        Map<Object, AtomicInteger> tries = new ConcurrentHashMap<>();
        topology.bolt("b", 2, "spout", ackIf(tuple -> {
            tries.computeIfAbsent(tuple.getValue(0), k -> new AtomicInteger());
            return tries.get(tuple.getValue(0)).incrementAndGet() >= 3;
        }));
        TestEngine engine = topology.run();
        engine.await("all acked", () -> feed.ackCount() == 1_000);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(1_000));
        assertThat(feed.failCount()).isEqualTo(2_000);
    }

    @Test
    void shouldReplayATupleThatTimesOut() {
        Feed feed = topology.feed(Feed.replaying(1));
        Held held = new Held();
        AtomicInteger executions = new AtomicInteger();
        topology.bolt("b", "spout", (tuple, out) -> {
            if (executions.incrementAndGet() == 1) {
                held.take(tuple, out);
            } else {
                out.ack(tuple);
            }
        });
        TestClock clock = new TestClock();
        TestEngine engine = topology.run(Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300), clock);
        engine.await("executed", () -> held.tuples.size() == 1);
        clock.advance(Duration.ofSeconds(301));
        engine.await("acked in the end", () -> feed.ackCount() == 1);
        assertThat(feed.failed).containsExactly(0L);
        assertThat(engine.component("spout").timedOut()).isEqualTo(1);
    }

    @Test
    void shouldIgnoreALateAckAfterATimeout() throws InterruptedException {
        Feed feed = topology.feed(Feed.replaying(1));
        Held held = new Held();
        topology.setBolt("b", TestBolt.of(held::take)).shuffleGrouping("spout");
        TestClock clock = new TestClock();
        TestEngine engine = topology.run(Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300), clock);
        engine.await("executed", () -> held.tuples.size() == 1);
        clock.advance(Duration.ofSeconds(301));
        engine.await("replayed", () -> held.tuples.size() == 2);
        Tuple first = held.tuples.remove();
        Tuple second = held.tuples.remove();
        // A child of the dead tree, its ack, and a fail: nothing of it may touch the new tree in the same slot.
        held.out.get().emit(first, new Values("late"));
        held.out.get().ack(first);
        held.out.get().fail(first);
        feed.limit(2);
        engine.await("another message got through", () -> held.tuples.size() == 1);
        assertThat(feed.ackCount()).isZero();
        assertThat(feed.failCount()).isEqualTo(1);
        held.out.get().ack(second);
        held.out.get().ack(held.tuples.remove());
        engine.await("acked once each", () -> feed.ackCount() == 2);
        assertThat(engine.engine.awaitIdle(LONG)).isTrue();
        assertThat(feed.failCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepATreeAliveWhoseTimeoutIsReset() {
        Feed feed = topology.feed(Feed.of(2));
        Held held = new Held();
        topology.setBolt("b", TestBolt.of(held::take)).shuffleGrouping("spout");
        TestClock clock = new TestClock();
        TestEngine engine = topology.run(Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300), clock);
        engine.await("executed", () -> held.tuples.size() == 2);
        Tuple kept = held.tuples.stream()
                .filter(t -> t.getValue(0).equals(0L))
                .findFirst()
                .orElseThrow();
        clock.advance(Duration.ofSeconds(200));
        held.out.get().resetTimeout(kept);
        // A third message comes after the reset on the same way: when it has arrived, so has the reset.
        feed.limit(3);
        engine.await("executed", () -> held.tuples.size() == 3);
        Tuple third = held.tuples.stream()
                .filter(t -> t.getValue(0).equals(2L))
                .findFirst()
                .orElseThrow();
        held.out.get().ack(third);
        engine.await("third acked", () -> feed.ackCount() == 1);
        clock.advance(Duration.ofSeconds(200));
        engine.await("the other timed out", () -> feed.failCount() == 1);
        assertThat(feed.failed).containsExactly(1L);
        held.out.get().ack(kept);
        engine.await("acked", () -> feed.ackCount() == 2);
        assertThat(feed.failed).containsExactly(1L);
    }

    @Test
    void shouldNotTimeOutWhenTimeoutsAreDisabled() {
        Feed feed = topology.feed(Feed.of(1));
        Held held = new Held();
        topology.setBolt("b", TestBolt.of(held::take)).shuffleGrouping("spout");
        Map<String, Object> conf =
                Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 1, Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, false);
        TestClock clock = new TestClock();
        TestEngine engine = topology.run(conf, clock);
        engine.await("executed", () -> held.tuples.size() == 1);
        clock.advance(Duration.ofHours(1));
        feed.limit(2);
        engine.await("the spout had a turn", () -> held.tuples.size() == 2);
        held.tuples.forEach(held.out.get()::ack);
        engine.await("acked", () -> feed.ackCount() == 2);
        assertThat(feed.failed).isEmpty();
    }

    @Test
    void shouldAckAtOnceWithoutAckers() {
        Feed feed = topology.feed(Feed.of(1_000));
        topology.setBolt("b", TestBolt.of((tuple, out) -> out.fail(tuple))).shuffleGrouping("spout");
        TestEngine engine = topology.run(Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0));
        engine.await("all acked", feed::isSettled);
        engine.await("all executed", () -> engine.component("b").executed() == 1_000);
        assertThat(feed.acked).containsExactly(numbers(1_000));
        assertThat(feed.failed).isEmpty();
        assertThat(engine.component("spout").inFlight()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldNeverHaveMorePendingThanAllowed(int tasks) {
        int pendingPerTask = 5;
        int most = pendingPerTask * tasks;
        AtomicLong pending = new AtomicLong();
        AtomicLong highest = new AtomicLong();
        Held held = new Held();
        Feed feed = Feed.of(3_000);
        topology.setSpout(
                        "spout",
                        Local.spout(() -> new Feed.Instance(feed) {
                            @Override
                            protected void send(Object message, Object messageId) {
                                highest.accumulateAndGet(pending.incrementAndGet(), Math::max);
                                super.send(message, messageId);
                            }

                            @Override
                            public void ack(Object messageId) {
                                pending.decrementAndGet();
                                super.ack(messageId);
                            }
                        }),
                        1)
                .setNumTasks(tasks)
                .setMaxSpoutPending(pendingPerTask);
        topology.setBolt("b", TestBolt.of(held::take)).shuffleGrouping("spout");
        TestEngine engine = topology.run();
        while (!feed.isSettled()) {
            engine.await(
                    "as many as allowed, or the end",
                    () -> held.tuples.size() == most
                            || pending.get() < most && feed.next.get() == 3_000
                            || feed.isSettled());
            for (int i = 0; i < 3 && !held.tuples.isEmpty(); i++) {
                held.out.get().ack(held.tuples.remove());
            }
        }
        assertThat(highest).hasValue(most);
    }

    @Test
    void shouldTakeAnyLimitOfWhatIsPending() {
        Feed feed = Feed.of(100);
        topology.setSpout("spout", feed.spout(), 1).setNumTasks(2).setMaxSpoutPending(Integer.MAX_VALUE);
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("spout");
        TestEngine engine = topology.run();
        engine.await("all acked", () -> feed.ackCount() == 100);
    }

    @Test
    void shouldAckAMessageThatNobodySubscribedTo() {
        Feed feed = topology.feed(Feed.of(100));
        TestEngine engine = topology.run();
        engine.await("all acked", feed::isSettled);
        assertThat(feed.acked).containsExactly(numbers(100));
    }

    @Test
    void shouldCallTheSpoutBackOnTheThreadItIsAskedOn() {
        // Single executor that never goes apart: open, nextTuple, ack and fail must never overlap.
        AtomicBoolean inside = new AtomicBoolean();
        Queue<String> overlaps = new ConcurrentLinkedQueue<>();
        Feed feed = Feed.of(5_000);
        class Checked extends Feed.Instance {
            Checked() {
                super(feed);
            }

            private void alone(Runnable call) {
                if (!inside.compareAndSet(false, true)) {
                    overlaps.add(Thread.currentThread().getName());
                }
                call.run();
                inside.set(false);
            }

            @Override
            public void nextTuple() {
                alone(super::nextTuple);
            }

            @Override
            public void ack(Object messageId) {
                alone(() -> super.ack(messageId));
            }

            @Override
            public void fail(Object messageId) {
                alone(() -> super.fail(messageId));
            }
        }
        topology.setSpout("spout", Local.spout(Checked::new)).setNumTasks(2);
        topology.bolt("b", 2, "spout", ackIf(tuple -> (long) tuple.getValue(0) % 2 != 0));
        TestEngine engine = topology.run();
        engine.await("all settled", feed::isSettled);
        assertThat(overlaps).isEmpty();
    }

    @Test
    void shouldNotTrackWhatIsEmittedUnanchored() {
        Feed feed = topology.feed(Feed.of(100));
        Held held = new Held();
        topology.bolt("a", "spout", (tuple, out) -> {
            out.emit(new Values(tuple.getValue(0)));
            out.ack(tuple);
        });
        topology.setBolt("b", TestBolt.of(held::take)).shuffleGrouping("a");
        TestEngine engine = topology.run();
        engine.await("all acked although b holds its tuples", feed::isSettled);
        engine.await("all arrived", () -> held.tuples.size() == 100);
        held.tuples.forEach(held.out.get()::fail);
        assertThat(feed.failed).isEmpty();
    }

    @Test
    void shouldCountOnlyTheFirstOfSeveralAcksAndFails() {
        Feed feed = topology.feed(Feed.of(1_000));
        topology.bolt("a", "spout", (tuple, out) -> {
            long n = (long) tuple.getValue(0);
            if (n % 2 == 0) {
                out.emit(tuple, new Values(n));
                out.ack(tuple);
                out.ack(tuple);
                out.fail(tuple);
            } else {
                out.fail(tuple);
                out.ack(tuple);
            }
        });
        topology.bolt("b", "a", (tuple, out) -> {
            out.ack(tuple);
            out.ack(tuple);
        });
        TestEngine engine = topology.run();
        engine.await("all settled", feed::isSettled);
        assertThat(feed.acked).hasSize(500).allMatch(id -> (long) id % 2 == 0);
        assertThat(feed.failed).hasSize(500).allMatch(id -> (long) id % 2 == 1);
    }

    @Test
    void shouldTrackTreesThroughACycle() {
        Feed feed = topology.feed(Feed.of(2_000));
        topology.setBolt(
                        "loop",
                        TestBolt.of(
                                (tuple, out) -> {
                                    int rounds = tuple.size() == 1 ? 0 : tuple.getInteger(1);
                                    if (rounds < 10) {
                                        out.emit("again", tuple, new Values(tuple.getValue(0), rounds + 1));
                                    }
                                    out.ack(tuple);
                                },
                                declarer -> declarer.declareStream("again", new Fields("v", "rounds"))),
                        3)
                .shuffleGrouping("spout")
                .fieldsGrouping("loop", "again", new Fields("rounds"));
        TestEngine engine = topology.run();
        engine.await("all acked", feed::isSettled);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(2_000));
        assertThat(engine.component("loop").executed()).isEqualTo(22_000);
    }

    @Test
    void shouldLetASpoutEmitFromAckAndFail() {
        Queue<Object> settled = new ConcurrentLinkedQueue<>();
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
            private boolean begun;

            @Override
            public void nextTuple() {
                if (!begun) {
                    begun = true;
                    out.emit(new Values(0), 0);
                }
            }

            private void settle(Object id) {
                settled.add(id);
                if ((int) id < 999) {
                    out.emit(new Values((int) id + 1), (int) id + 1);
                }
            }

            @Override
            public void ack(Object id) {
                settle(id);
            }

            @Override
            public void fail(Object id) {
                settle(id);
            }
        }));
        topology.bolt("b", "spout", ackIf(tuple -> tuple.getInteger(0) % 2 == 0));
        TestEngine engine = topology.run();
        engine.await("all settled", () -> settled.size() == 1_000);
        Set<Object> distinct = new HashSet<>(settled);
        assertThat(distinct).hasSize(1_000);
    }
}
