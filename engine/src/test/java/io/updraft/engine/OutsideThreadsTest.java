package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Emits, acks and fails from threads that the component started: many users do this. */
class OutsideThreadsTest {

    private static final int MESSAGES = 10_000;

    @AutoClose
    private final TestTopology topology = new TestTopology();

    @AutoClose("shutdownNow")
    private final ExecutorService pool = Executors.newFixedThreadPool(6);

    private static Object[] numbers(long n) {
        return LongStream.range(0, n).boxed().toArray();
    }

    @Test
    void shouldLoseNothingAndCompleteNothingEarly() {
        Feed feed = Feed.of(MESSAGES);
        Map<Object, AtomicInteger> leaves = new ConcurrentHashMap<>();
        Queue<Object> early = new ConcurrentLinkedQueue<>();
        topology.setSpout(
                        "spout",
                        Local.spout(() -> new Feed.Instance(feed) {
                            @Override
                            public void ack(Object messageId) {
                                if (leaves.get(messageId) == null
                                        || leaves.get(messageId).get() != 3) {
                                    early.add(messageId);
                                }
                                super.ack(messageId);
                            }
                        }),
                        2)
                .setMaxSpoutPending(500);
        topology.bolt("async", 2, "spout", (tuple, out) -> {
            // One child from the turn, two from elsewhere, then the ack from elsewhere again.
            out.emit(tuple, new Values(tuple.getValue(0)));
            pool.execute(() -> {
                out.emit(tuple, new Values(tuple.getValue(0)));
                pool.execute(() -> {
                    out.emit(List.of(tuple), new Values(tuple.getValue(0)));
                    out.ack(tuple);
                });
            });
        });
        topology.setBolt(
                        "pass",
                        TestBolt.of((tuple, out) -> pool.execute(() -> {
                            out.emit(tuple, new Values(tuple.getValue(0)));
                            out.ack(tuple);
                        })),
                        2)
                .fieldsGrouping("async", new Fields("v"));
        topology.bolt("leaf", 2, "pass", (tuple, out) -> {
            leaves.computeIfAbsent(tuple.getValue(0), k -> new AtomicInteger()).incrementAndGet();
            if (ThreadLocalRandom.current().nextBoolean()) {
                out.ack(tuple);
            } else {
                pool.execute(() -> out.ack(tuple));
            }
        });
        TestEngine engine = topology.run(Map.of("updraft.loops", 2));
        engine.await("all acked", feed::isSettled);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(MESSAGES));
        assertThat(early).isEmpty();
        engine.await(
                "all counted",
                () -> engine.component("pass").acked() == 3 * MESSAGES
                        && engine.component("async").emitted() == 3 * MESSAGES
                        && engine.component("leaf").acked() == 3 * MESSAGES);
        assertThat(engine.errors).isEmpty();
    }

    @Test
    void shouldFailFromAnotherThread() {
        Feed feed = Feed.replaying(MESSAGES / 2);
        Set<Object> failedBefore = ConcurrentHashMap.newKeySet();
        topology.setSpout("spout", feed.spout()).setMaxSpoutPending(500);
        topology.bolt(
                "async",
                2,
                "spout",
                (tuple, out) -> pool.execute(() -> {
                    if (failedBefore.add(tuple.getValue(0))) {
                        out.fail(tuple);
                    } else {
                        out.ack(tuple);
                    }
                }));
        TestEngine engine = topology.run();
        engine.await("all acked", () -> feed.ackCount() == MESSAGES / 2);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(MESSAGES / 2));
        assertThat(feed.failed).containsExactlyInAnyOrder(numbers(MESSAGES / 2));
    }

    @Test
    void shouldSettleATupleOnceThoughSeveralThreadsTry() {
        Feed feed = Feed.of(2_000);
        topology.setSpout("spout", feed.spout()).setMaxSpoutPending(200);
        topology.bolt("async", "spout", (tuple, out) -> {
            for (int i = 0; i < 4; i++) {
                pool.execute(() -> out.ack(tuple));
            }
        });
        TestEngine engine = topology.run();
        engine.await("all acked", feed::isSettled);
        engine.await("all tried", () -> engine.component("async").acked() == 8_000);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(2_000));
    }

    @Test
    void shouldJoinFromAnotherThread() throws InterruptedException {
        Feed feed = Feed.of(3_000);
        topology.setSpout("spout", feed.spout(), 2).setMaxSpoutPending(300);
        topology.setBolt("join", Local.bolt(() -> new TestBolt("v") {
                    private transient Tuple first;

                    @Override
                    public void execute(Tuple second) {
                        if (first == null) {
                            first = second;
                            return;
                        }
                        List<Tuple> both = List.of(first, second);
                        first = null;
                        pool.execute(() -> {
                            out.emit(both, new Values(1));
                            out.emit(both, new Values(2));
                            both.forEach(out::ack);
                        });
                    }
                }))
                .globalGrouping("spout");
        topology.bolt("end", 2, "join", (tuple, out) -> pool.execute(() -> out.ack(tuple)));
        TestEngine engine = topology.run();
        engine.await("all acked", feed::isSettled);
        assertThat(feed.acked).containsExactlyInAnyOrder(numbers(3_000));
        assertThat(engine.engine.awaitIdle(Duration.ofSeconds(50))).isTrue();
    }

    @Test
    void shouldLetASpoutEmitFromItsThreads() {
        Queue<Object> acked = new ConcurrentLinkedQueue<>();
        Queue<Object> got = new ConcurrentLinkedQueue<>();
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
            @Override
            public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
                for (int t = 0; t < 5; t++) {
                    int from = t * 2_000;
                    pool.execute(() -> {
                        for (long i = from; i < from + 2_000; i++) {
                            collector.emit(new Values(i), i);
                        }
                    });
                }
            }

            @Override
            public void ack(Object id) {
                acked.add(id);
            }
        }));
        topology.bolt("b", 2, "spout", ackAfter(tuple -> got.add(tuple.getValue(0))));
        TestEngine engine = topology.run();
        engine.await("all acked", () -> acked.size() == 10_000);
        assertThat(acked).containsExactlyInAnyOrder(numbers(10_000));
        assertThat(got).hasSize(10_000);
    }

    @Test
    void shouldHoldBackThreadsThatEmitFasterThanTheBoltDownstreamWorks() {
        Feed feed = topology.feed(Feed.untracked(1));
        AtomicInteger emitted = new AtomicInteger();
        topology.bolt(
                "async",
                "spout",
                (tuple, out) -> pool.execute(() -> {
                    for (int i = 0; i < 400_000; i++) {
                        out.emit(new Values(i));
                        emitted.incrementAndGet();
                    }
                }));
        AtomicInteger executed = new AtomicInteger();
        AtomicInteger mostWaiting = new AtomicInteger();
        topology.bolt("slow", "async", (tuple, out) -> {
            int waiting = emitted.get() - executed.incrementAndGet();
            mostWaiting.accumulateAndGet(waiting, Math::max);
            if (waiting < 100) {
                Thread.yield();
            }
        });
        TestEngine engine = topology.run(Map.of("updraft.queue.high.water", 500));
        engine.await("all through", () -> executed.get() == 400_000);
        assertThat(mostWaiting.get()).isLessThan(200_000);
    }
}
