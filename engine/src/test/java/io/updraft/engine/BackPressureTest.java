package io.updraft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackPressureTest {

    private static final int HIGH_WATER = 200;

    private final TopologyBuilder topology = new TopologyBuilder();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicBoolean open = new AtomicBoolean();

    @AfterEach
    void openGate() {
        open.set(true);
    }

    private static Map<String, Object> conf(int loops) {
        return Map.of("updraft.loops", loops, "updraft.queue.high.water", HIGH_WATER);
    }

    private static void spin(long nanos) {
        long until = System.nanoTime() + nanos;
        while (System.nanoTime() < until) {
            Thread.onSpinWait();
        }
    }

    private void standAtTheGate() {
        while (!open.get()) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** Waits until a number stands still for as long as everybody had many turns. */
    private static void awaitStill(TestEngine engine, AtomicLong number) {
        long[] seen = {-1, 0};
        engine.await("the flow has come to a stop", () -> {
            long current = number.get();
            if (current != seen[0]) {
                seen[0] = current;
                seen[1] = System.nanoTime();
            }
            return current > 0 && System.nanoTime() - seen[1] > 300_000_000;
        });
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2"})
    void shouldStopTheSpoutWhenTheLastBoltStands(boolean tracked, int loops) {
        Feed feed = tracked ? Feed.endless() : Feed.untracked(Long.MAX_VALUE);
        topology.setSpout("spout", feed.spout(), 2);
        topology.setBolt("a", TestBolt.passOn(), 2).shuffleGrouping("spout");
        topology.setBolt("b", TestBolt.passOn(), 2).shuffleGrouping("a");
        topology.setBolt("c", TestBolt.of((tuple, out) -> {
                    standAtTheGate();
                    done.incrementAndGet();
                    out.ack(tuple);
                }))
                .shuffleGrouping("b");
        try (TestEngine engine = TestEngine.run(topology, conf(loops))) {
            // A stop may also be that of a machine that has no time.
            engine.await(
                    "the pressure is there",
                    () -> engine.component("c").backPressured()
                            && engine.component("b").throttled()
                            && engine.engine.snapshot().edges().stream()
                                    .anyMatch(e -> e.to().equals("c") && e.backPressured()));
            awaitStill(engine, feed.next);
            // 7 executors, each with its queue and one turn of output above it, and the rings between loops; without an
            // end it would be millions.
            assertThat(feed.next.get()).isLessThan(150_000);
            open.set(true);
            engine.await("it flows again", () -> done.get() > 50_000);
            assertThat(engine.errors).isEmpty();
        }
    }

    @Test
    void shouldHoldBackASpoutWhoseBoltIsMerelySlow() {
        Feed feed = Feed.untracked(Long.MAX_VALUE);
        AtomicLong most = new AtomicLong();
        topology.setSpout("spout", feed.spout());
        topology.setBolt("slow", TestBolt.of((tuple, out) -> {
                    most.accumulateAndGet(feed.next.get() - done.incrementAndGet(), Math::max);
                    spin(50_000);
                }))
                .shuffleGrouping("spout");
        try (TestEngine engine = TestEngine.run(topology, conf(2))) {
            engine.await("some work", () -> done.get() > 10_000);
            assertThat(most.get()).isLessThan(10_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldNeitherDeadlockNorGrowInACycle(int loops) {
        Feed feed = Feed.endless();
        AtomicLong most = new AtomicLong();
        topology.setSpout("spout", feed.spout());
        topology.setBolt(
                        "a",
                        TestBolt.of(
                                (tuple, out) -> {
                                    if (tuple.size() == 1) {
                                        sent.incrementAndGet();
                                        out.emit(tuple, new Values(tuple.getValue(0), 1));
                                    } else {
                                        int round = tuple.getInteger(1);
                                        if (round < 20) {
                                            out.emit(tuple, new Values(tuple.getValue(0), round + 1));
                                        } else {
                                            done.incrementAndGet();
                                        }
                                        most.accumulateAndGet(sent.get() - done.get(), Math::max);
                                    }
                                    out.ack(tuple);
                                },
                                d -> d.declare(new Fields("v", "round"))),
                        2)
                .shuffleGrouping("spout")
                .shuffleGrouping("b");
        topology.setBolt(
                        "b",
                        TestBolt.of(
                                (tuple, out) -> {
                                    out.emit(tuple, tuple.getValues());
                                    out.ack(tuple);
                                },
                                d -> d.declare(new Fields("v", "round"))),
                        2)
                .shuffleGrouping("a");
        try (TestEngine engine = TestEngine.run(topology, conf(loops))) {
            engine.await("it flows", () -> feed.ackCount() > 20_000);
            assertThat(most.get()).isLessThan(150_000);
            engine.engine.deactivate();
            engine.await("it runs dry", () -> engine.component("spout").inFlight() == 0);
            assertThat(feed.failed).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldBoundWhatABoltEmitsInOneExecute(int loops) {
        int burst = 200_000;
        Feed feed = Feed.of(2);
        AtomicLong most = new AtomicLong();
        topology.setSpout("spout", feed.spout());
        topology.setBolt("burst", TestBolt.of((tuple, out) -> {
                    for (int i = 0; i < burst; i++) {
                        sent.incrementAndGet();
                        out.emit(tuple, new Values(i));
                    }
                    out.ack(tuple);
                }))
                .shuffleGrouping("spout");
        topology.setBolt("sink", TestBolt.of((tuple, out) -> {
                    most.accumulateAndGet(sent.get() - done.incrementAndGet(), Math::max);
                    spin(2_000);
                    out.ack(tuple);
                }))
                .shuffleGrouping("burst");
        try (TestEngine engine = TestEngine.run(topology, conf(loops))) {
            engine.await("all acked", feed::isSettled);
            assertThat(done).hasValue(2 * burst);
            assertThat(feed.acked).hasSize(2);
            assertThat(most.get()).isLessThan(40_000);
        }
    }

    /** A spout that ran apart and goes back to its loop, while those that it feeds are congested, must not be left in between. */
    @Test
    void shouldTellASpoutOfAcksThatComesBackToItsLoopWhileItIsHeldBack() {
        AtomicLong heard = new AtomicLong();
        topology.setSpout("spout", Local.spout(() -> new TestSpout() {
            private static final long serialVersionUID = 1L;
            private long next;

            @Override
            public void nextTuple() {
                do {
                    out.emit(new Values(next), next++);
                } while (next < 100); // at once, for the bolt to have much in hand
                awaitOwnThread("updraft-spout");
            }

            @Override
            public void ack(Object messageId) {
                heard.incrementAndGet();
            }
        }));
        topology.setBolt("bolt", TestBolt.of((tuple, out) -> {
                    out.ack(tuple);
                    sent.incrementAndGet();
                    awaitDone(tuple.getLong(0));
                }))
                .shuffleGrouping("spout");
        try (TestEngine engine = TestEngine.run(topology, conf(1))) {
            try {
                engine.await("the bolt stands", () -> sent.get() == 1);
                engine.await(
                        "the spout is held back",
                        () -> engine.component("spout").throttled());
                engine.await(
                        "the spout is back on its loop",
                        () -> engine.component("spout").ownThreads() == 0);
                long before = heard.get();
                done.set(10);
                engine.await("the spout has heard of what was acked meanwhile", () -> heard.get() > before);
            } finally {
                open.set(true);
            }
        }
    }

    private void awaitDone(long number) {
        while (done.get() <= number && !open.get()) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** The engine names a thread after the component that it leaves it to. */
    private static void awaitOwnThread(String name) {
        while (!Thread.currentThread().getName().startsWith(name)) {
            LockSupport.parkNanos(100_000);
        }
    }
}
