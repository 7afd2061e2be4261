package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackPressureTest {

    private static final int HIGH_WATER = 200;

    private final TestTopology topology = new TestTopology();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong arrived = new AtomicLong();
    private final AtomicBoolean open = new AtomicBoolean();
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void openGate() {
        open.set(true);
        over.set(true);
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
        Feed feed = topology.feed(tracked ? Feed.endless() : Feed.untracked(Long.MAX_VALUE), 2);
        topology.setBolt("a", TestBolt.passOn(), 2).shuffleGrouping("spout");
        topology.setBolt("b", TestBolt.passOn(), 2).shuffleGrouping("a");
        topology.bolt("c", "b", ackAfter(tuple -> {
            standAtTheGate();
            done.incrementAndGet();
        }));
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
        Feed feed = topology.feed(Feed.untracked(Long.MAX_VALUE));
        AtomicLong most = new AtomicLong();
        topology.bolt("slow", "spout", (tuple, out) -> {
            most.accumulateAndGet(feed.next.get() - done.incrementAndGet(), Math::max);
            spin(50_000);
        });
        try (TestEngine engine = TestEngine.run(topology, conf(2))) {
            engine.await("some work", () -> done.get() > 10_000);
            assertThat(most.get()).isLessThan(10_000);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepTheQueueOfABoltThatWaitsShort(boolean tracked) {
        Feed feed = topology.feed(tracked ? Feed.endless() : Feed.untracked(Long.MAX_VALUE));
        topology.bolt("waiting", 4, "spout", (tuple, out) -> {
            LockSupport.parkNanos(1_000_000);
            long waiting = feed.next.get() - done.incrementAndGet();
            // At the start nobody knows yet how long a call takes.
            if (done.get() > 1_000 && waiting < 4 * 64 || arrived.get() > 0) {
                arrived.incrementAndGet();
                sent.addAndGet(waiting);
            }
            out.ack(tuple);
        });
        try (TestEngine engine = TestEngine.run(topology, Map.of("updraft.loops", 2))) {
            engine.await("some work", () -> arrived.get() > 5_000);
            // Each executor may have 64 queued. Until another loop has woken and seen its queues, the spout may emit
            // more.
            assertThat(sent.get() / arrived.get()).isLessThan(3_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldNeitherDeadlockNorGrowInACycle(int loops) {
        Feed feed = topology.feed(Feed.endless());
        AtomicLong most = new AtomicLong();
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
        Feed feed = topology.feed(Feed.of(2));
        AtomicLong most = new AtomicLong();
        topology.bolt("burst", "spout", (tuple, out) -> {
            for (int i = 0; i < burst; i++) {
                sent.incrementAndGet();
                out.emit(tuple, new Values(i));
            }
            out.ack(tuple);
        });
        topology.bolt("sink", "burst", ackAfter(tuple -> {
            most.accumulateAndGet(sent.get() - done.incrementAndGet(), Math::max);
            spin(2_000);
        }));
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
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
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
        topology.bolt("bolt", "spout", (tuple, out) -> {
            out.ack(tuple);
            sent.incrementAndGet();
            awaitDone(tuple.getLong(0));
        });
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

    /** Each thread of the spout's own emits without an end. */
    private void setSpoutWithThreads(int threads, boolean tracked, int maxPending) {
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
                    @Override
                    protected void opened() {
                        for (int i = 0; i < threads; i++) {
                            Thread thread = new Thread(this::emitOn);
                            thread.setDaemon(true);
                            thread.start();
                        }
                    }

                    private void emitOn() {
                        while (!over.get()) {
                            out.emit(new Values(sent.incrementAndGet()), tracked ? new Object() : null);
                        }
                    }
                }))
                .setMaxSpoutPending(maxPending);
    }

    private void setGate() {
        topology.bolt("gate", "spout", ackAfter(tuple -> {
            arrived.incrementAndGet();
            standAtTheGate();
            done.incrementAndGet();
        }));
    }

    @Test
    void shouldStopThreadsOfASpoutWhenTheBoltStands() {
        setSpoutWithThreads(3, false, 0);
        setGate();
        try (TestEngine engine = TestEngine.run(topology, conf(1))) {
            awaitStill(engine, sent);
            // What waits for the spout's next turn is bounded, and so is what is queued.
            assertThat(sent.get()).isLessThan(20_000);
            open.set(true);
            engine.await("it flows again", () -> done.get() > 50_000);
            assertThat(engine.errors).isEmpty();
        }
    }

    @Test
    void shouldHaveNoMorePendingThanAllowedWhenThreadsOfASpoutEmit() {
        setSpoutWithThreads(3, true, 20);
        Queue<Tuple> held = new ConcurrentLinkedQueue<>();
        topology.bolt("hold", "spout", (tuple, out) -> {
            arrived.incrementAndGet();
            if (open.get()) {
                out.ack(tuple);
                done.incrementAndGet();
            } else {
                held.add(tuple);
            }
            while (open.get() && !held.isEmpty()) {
                out.ack(held.remove());
            }
        });
        try (TestEngine engine = TestEngine.run(topology, conf(1))) {
            engine.await("as many as allowed have arrived", () -> arrived.get() >= 20);
            awaitStill(engine, sent);
            assertThat(arrived).hasValue(20);
            // As many wait for their turn, and each thread has one more in hand.
            assertThat(sent.get()).isLessThanOrEqualTo(20 + 20 + 3 + 3);
            assertThat(engine.component("spout").inFlight()).isLessThanOrEqualTo(40 + 3);
        }
    }

    /** The thread holds what the spout's own turn waits for: one of them has to go on. */
    @Test
    void shouldNotDeadlockWhenAThreadEmitsUnderALockThatTheSpoutTakes() {
        Object lock = new Object();
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
                    private boolean started;

                    @Override
                    public void nextTuple() {
                        if (!started) {
                            started = true;
                            Thread thread = new Thread(this::emitAll);
                            thread.setDaemon(true);
                            thread.start();
                        }
                        synchronized (lock) {
                            done.incrementAndGet();
                        }
                    }

                    private void emitAll() {
                        synchronized (lock) {
                            for (int i = 0; i < 10; i++) {
                                out.emit(new Values(i), i);
                            }
                        }
                    }

                    @Override
                    public void ack(Object messageId) {
                        synchronized (lock) {
                            sent.incrementAndGet();
                        }
                    }
                }))
                .setMaxSpoutPending(1);
        topology.setBolt("bolt", TestBolt.ack()).shuffleGrouping("spout");
        try (TestEngine engine = TestEngine.run(topology, conf(1))) {
            engine.await("all acked", () -> sent.get() == 10);
        }
    }

    @Test
    void shouldLetThreadsOfASpoutGoWhenTheTopologyHasDied() throws InterruptedException {
        setSpoutWithThreads(1, false, 1);
        topology.bolt("bolt", "spout", (tuple, out) -> {
            throw new IllegalStateException("on purpose");
        });
        Map<String, Object> conf = new HashMap<>(conf(1));
        conf.put("updraft.on.error", "die");
        try (TestEngine engine = TestEngine.run(topology, conf)) {
            engine.await("it has died", () -> engine.engine.death() != null);
            long before = sent.get();
            engine.await("the thread is not stuck", () -> sent.get() > before + 10);
        }
    }
}
