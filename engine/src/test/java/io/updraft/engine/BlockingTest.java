package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A component that blocks, sleeps or spins delays no other; all on one loop, where it would do the most harm. */
class BlockingTest {

    private static final Map<String, Object> ONE_LOOP = Map.of("updraft.loops", 1);
    private static final int ENOUGH = 20_000;

    private final TestTopology topology = new TestTopology();
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicBoolean spinning = new AtomicBoolean(true);

    /** A stream that shares nothing but the loop with the component that blocks. */
    private final Feed healthy = Feed.of(10);

    private final AtomicBoolean entered = new AtomicBoolean();

    @BeforeEach
    void buildHealthyStream() {
        topology.setSpout("good-spout", healthy.spout()).setMaxSpoutPending(1_000);
        topology.setBolt("good-bolt", TestBolt.ack()).shuffleGrouping("good-spout");
    }

    @AfterEach
    void release() {
        spinning.set(false);
        released.countDown();
    }

    /** Blocks until the test is over, uninterrupted. */
    private void block() {
        entered.set(true);
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void spin() {
        entered.set(true);
        while (spinning.get()) {
            Thread.onSpinWait();
        }
    }

    private void shouldNotBeDelayed() {
        try (TestEngine engine = TestEngine.run(topology, ONE_LOOP)) {
            engine.await("it is in the call that does not end", entered::get);
            healthy.limit(ENOUGH);
            engine.await("the healthy stream has come to its end", healthy::isSettled);
            assertThat(healthy.failed).isEmpty();
            release();
        }
    }

    private void withBolt(Runnable execute) {
        topology.setSpout("bad-spout", Feed.of(10).spout());
        topology.setBolt("bad-bolt", TestBolt.of(ackAfter(tuple -> execute.run())))
                .shuffleGrouping("bad-spout");
    }

    @Test
    void shouldGoOnBesideABoltThatSleeps() {
        AtomicLong slept = new AtomicLong();
        topology.setSpout("slow-spout", Feed.endless().spout()).setMaxSpoutPending(100);
        topology.setBolt("slow-bolt", TestBolt.of(ackAfter(tuple -> {
                    LockSupport.parkNanos(100_000_000);
                    slept.incrementAndGet();
                })))
                .shuffleGrouping("slow-spout");
        try (TestEngine engine = TestEngine.run(topology, ONE_LOOP)) {
            engine.await("the slow bolt has executed a few", () -> slept.get() >= 5);
            healthy.limit(ENOUGH);
            engine.await("the healthy stream has come to its end", healthy::isSettled);
            // 30 s of sleep; the healthy stream takes a fraction of a second.
            assertThat(slept.get()).isLessThan(300);
            engine.await(
                    "it has a thread of its own",
                    () -> engine.component("slow-bolt").ownThreads() == 1);
            assertThat(engine.component("good-bolt").executed()).isEqualTo(ENOUGH);
        }
    }

    @Test
    void shouldGoOnBesideABoltThatBlocks() {
        withBolt(this::block);
        shouldNotBeDelayed();
    }

    @Test
    void shouldGoOnBesideABoltThatSpins() {
        withBolt(this::spin);
        shouldNotBeDelayed();
    }

    @Test
    void shouldGoOnBesideASpoutThatBlocksInNextTuple() {
        topology.setSpout("bad-spout", Local.spout(() -> new TestSpout("v") {
            @Override
            public void nextTuple() {
                block();
            }
        }));
        shouldNotBeDelayed();
    }

    @Test
    void shouldGoOnBesideASpoutThatBlocksInAck() {
        topology.setSpout("bad-spout", Local.spout(() -> new Feed.Instance(Feed.of(5)) {
            @Override
            public void ack(Object messageId) {
                block();
            }
        }));
        topology.setBolt("acker", TestBolt.ack()).shuffleGrouping("bad-spout");
        shouldNotBeDelayed();
    }

    @Test
    void shouldGoOnBesideABoltThatBlocksInPrepare() {
        topology.setBolt("bad-bolt", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
                        block();
                    }
                }))
                .shuffleGrouping("bad-spout");
        topology.setSpout("bad-spout", Feed.of(5).spout());
        shouldNotBeDelayed();
    }

    @Test
    void shouldGoOnBesideASpoutThatBlocksInOpen() {
        topology.setSpout("bad-spout", Local.spout(() -> new TestSpout("v") {
            @Override
            public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
                block();
            }
        }));
        shouldNotBeDelayed();
    }

    @Test
    void shouldGoOnWithWhatABlockedTurnHasEmittedBeforeItBlocked() {
        AtomicLong arrived = new AtomicLong();
        topology.setSpout("bad-spout", Local.spout(() -> new TestSpout("v") {
            private int calls;

            @Override
            public void nextTuple() {
                out.emit(new Values(calls++));
                if (calls == 3) {
                    block();
                }
            }
        }));
        topology.setBolt("b", TestBolt.of((tuple, out) -> arrived.incrementAndGet()))
                .shuffleGrouping("bad-spout");
        // What the turn emits after it lost its loop must flow at once; what it emitted before comes with that.
        try (TestEngine engine = TestEngine.run(topology, ONE_LOOP)) {
            engine.await("it is in the call that does not end", entered::get);
            healthy.limit(ENOUGH);
            engine.await("the healthy stream has come to its end", healthy::isSettled);
            release();
            engine.await("its tuples arrived", () -> arrived.get() >= 3);
        }
    }

    @Test
    void shouldNotKeepWhatASlowSpoutEmitsAfterQuickCallsOnItsOwnThread() {
        AtomicLong slowCalls = new AtomicLong();
        AtomicLong slowCallsAtArrival = new AtomicLong();
        int quickCalls = 2_000;
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
            private int calls;

            @Override
            public void nextTuple() {
                if (calls == 0) {
                    block();
                } else if (calls > quickCalls) {
                    LockSupport.parkNanos(100_000_000);
                    slowCalls.incrementAndGet();
                }
                out.emit(new Values(calls++));
            }
        }));
        topology.bolt("bolt", "spout", (tuple, out) -> {
            if (tuple.getInteger(0) > quickCalls) {
                slowCallsAtArrival.compareAndSet(0, slowCalls.get());
            }
        });
        try (TestEngine engine = TestEngine.run(topology, ONE_LOOP)) {
            engine.await("it left its loop", () -> engine.component("spout").ownThreads() == 1);
            release();
            engine.await("the first of a slow call has arrived", () -> slowCallsAtArrival.get() > 0);
            // A turn of quick calls would have gone on for some 250. More than two, as the bolt may have to wait for a
            // core.
            assertThat(slowCallsAtArrival.get()).isLessThan(120);
        }
    }

    @Test
    void shouldTellASlowSpoutInItsNextCallOfAllThatWasAckedInTheLast() {
        AtomicLong arrived = new AtomicLong();
        AtomicLong slowCalls = new AtomicLong();
        AtomicLong fewestOpen = new AtomicLong(Long.MAX_VALUE);
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
            private long open;

            @Override
            public void nextTuple() {
                if (slowCalls.getAndIncrement() == 0) {
                    block();
                    for (int i = 1; i <= 5; i++) {
                        emit();
                        long sent = i;
                        Await.until("it has arrived by itself", () -> arrived.get() == sent);
                    }
                }
                LockSupport.parkNanos(10_000_000);
                fewestOpen.accumulateAndGet(open, Math::min);
                emit();
            }

            private void emit() {
                open++;
                out.emit(new Values(open), open);
            }

            @Override
            public void ack(Object messageId) {
                open--;
            }
        }));
        topology.bolt("bolt", "spout", (tuple, out) -> {
            out.ack(tuple);
            arrived.incrementAndGet();
        });
        try (TestEngine engine = TestEngine.run(topology, ONE_LOOP)) {
            engine.await("it left its loop", () -> engine.component("spout").ownThreads() == 1);
            release();
            engine.await("it was called often enough", () -> slowCalls.get() > 2_000 || fewestOpen.get() <= 1);
            // At most what the call before has emitted at its end.
            assertThat(fewestOpen.get()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void shouldReturnToTheLoopWhenItBehaves() {
        AtomicBoolean slow = new AtomicBoolean(true);
        Feed feed = Feed.endless();
        topology.setSpout("spout", feed.spout()).setMaxSpoutPending(50);
        topology.bolt("bolt", "spout", (tuple, out) -> {
            if (slow.get()) {
                LockSupport.parkNanos(20_000_000);
            }
            out.ack(tuple);
        });
        try (TestEngine engine = TestEngine.run(topology, ONE_LOOP)) {
            engine.await("it left its loop", () -> engine.component("bolt").ownThreads() == 1);
            slow.set(false);
            engine.await("it came back", () -> engine.component("bolt").ownThreads() == 0);
            long before = feed.ackCount();
            engine.await("and goes on", () -> feed.ackCount() > before + 1_000);
            assertThat(feed.failed).isEmpty();
        }
    }

    @Test
    void shouldLetASpoutEmitWithoutEndInOneCall() {
        AtomicLong emitted = new AtomicLong();
        AtomicLong executed = new AtomicLong();
        AtomicLong mostWaiting = new AtomicLong();
        topology.setSpout("bad-spout", Local.spout(() -> new TestSpout("v") {
            @Override
            public void nextTuple() {
                while (spinning.get()) {
                    out.emit(new Values(emitted.getAndIncrement()));
                }
            }
        }));
        topology.setBolt("b", TestBolt.of((tuple, out) -> {
                    mostWaiting.accumulateAndGet(emitted.get() - executed.incrementAndGet(), Math::max);
                    long until = System.nanoTime() + 5_000;
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                }))
                .shuffleGrouping("bad-spout");
        try (TestEngine engine =
                TestEngine.run(topology, Map.of("updraft.loops", 1, "updraft.queue.high.water", 500))) {
            engine.await("it flows", () -> executed.get() > 30_000);
            healthy.limit(ENOUGH);
            engine.await("the healthy stream has come to its end", healthy::isSettled);
            // What fits into one turn, and the queues on the way; not all that the spout could emit in that time.
            assertThat(mostWaiting.get()).isLessThan(40_000);
            release();
        }
    }

    @Test
    @Tag("long")
    void shouldCloseThoughSomethingBlocks() {
        AtomicBoolean cleanedUp = new AtomicBoolean();
        AtomicBoolean interrupted = new AtomicBoolean();
        withBolt(this::block);
        topology.setBolt("bad-cleanup", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    public void cleanup() {
                        block();
                    }
                }))
                .shuffleGrouping("good-spout");
        topology.setBolt("patient", TestBolt.of((tuple, out) -> {
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                    }
                }))
                .shuffleGrouping("bad-spout");
        topology.setBolt("tidy", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    public void cleanup() {
                        cleanedUp.set(true);
                    }
                }))
                .shuffleGrouping("good-spout");
        TestEngine engine = TestEngine.run(topology, ONE_LOOP);
        engine.await("the healthy stream has come to its end", healthy::isSettled);
        Thread closer = new Thread(engine::close);
        closer.start();
        Await.until("the others are closed at once", cleanedUp::get);
        assertThat(interrupted).isFalse();
        Await.until("closed all the same", () -> !closer.isAlive());
        Await.until("who waits is interrupted", interrupted::get);
        assertThat(threadNames()).contains("updraft-bad-bolt-1", "updraft-bad-cleanup-2");
        Await.until("its thread ends", () -> !threadNames().contains("updraft-patient-7"));
    }

    private static List<String> threadNames() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
