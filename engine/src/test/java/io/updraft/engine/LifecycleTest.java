package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.api.CallNotReturned;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LifecycleTest {

    private static final Duration LONG = Duration.ofSeconds(50);

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final Feed feed = Feed.of(1_000);

    private void build() {
        topology.setSpout("spout", Local.spout(() -> new Feed.Instance(feed) {
            @Override
            protected void opened() {
                calls.add("open");
            }

            @Override
            public void activate() {
                calls.add("activate");
            }

            @Override
            public void deactivate() {
                calls.add("deactivate");
            }

            @Override
            public void close() {
                calls.add("close");
            }
        }));
        topology.setBolt("bolt", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    protected void prepared() {
                        calls.add("prepare");
                    }

                    @Override
                    public void cleanup() {
                        calls.add("cleanup");
                    }
                }))
                .shuffleGrouping("spout");
    }

    @Test
    void shouldOpenNothingBeforeTheFirstActivation() throws InterruptedException {
        build();
        try (TestEngine engine = TestEngine.start(topology, Map.of())) {
            assertThat(engine.engine.isActive()).isFalse();
            assertThat(engine.engine.awaitIdle(LONG)).isTrue();
            assertThat(calls).isEmpty();
        }
        assertThat(calls).isEmpty();
    }

    @Test
    void shouldCallASpoutAsStormDoes() {
        build();
        TestEngine engine = TestEngine.run(topology);
        engine.await("all acked", feed::isSettled);
        assertThat(engine.engine.isActive()).isTrue();
        engine.engine.deactivate();
        engine.await("deactivated", () -> calls.contains("deactivate"));
        long before = feed.next.get();
        feed.limit(2_000);
        assertThat(feed.next.get()).isEqualTo(before);
        engine.engine.activate();
        engine.await("all acked", feed::isSettled);
        engine.close();
        assertThat(calls.stream().filter(call -> !call.equals("prepare") && !call.equals("cleanup")))
                .containsExactly("open", "activate", "deactivate", "activate", "deactivate", "close");
        assertThat(calls.stream().filter(call -> call.equals("prepare") || call.equals("cleanup")))
                .containsExactly("prepare", "cleanup");
    }

    @Test
    void shouldKeepTheNumberOfTuplesThatItsEndDrops() {
        topology.setSpout("spout", feed.spout());
        topology.bolt("holding", "spout", (tuple, out) -> {});
        TestEngine engine = TestEngine.run(topology);
        engine.await("all in flight", () -> engine.engine.snapshot().inFlightTrees() == 1_000);
        engine.close();
        assertThat(engine.engine.snapshot().inFlightTrees()).isEqualTo(1_000);
    }

    @Test
    void shouldCloseOnceHoweverOftenItIsCalled() {
        build();
        TestEngine engine = TestEngine.run(topology);
        engine.await("all acked", feed::isSettled);
        engine.close();
        engine.close();
        assertThat(calls).containsOnlyOnce("close", "cleanup");
        assertThat(engine.engine.isActive()).isFalse();
        assertThat(engine.engine.death()).isNull();
    }

    @Test
    void shouldEndAllItsThreads() {
        build();
        TestEngine engine = TestEngine.run(topology, Map.of("updraft.loops", 3));
        engine.await("all acked", feed::isSettled);
        engine.close();
        engine.await(
                "no loop is left",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("updraft-loop")));
    }

    @Test
    void shouldBeIdleOnlyWhenEverythingIsDone() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger executed = new AtomicInteger();
        Feed untracked = Feed.untracked(300);
        topology.setSpout("spout", untracked.spout());
        topology.setBolt("pass", TestBolt.passOn(), 2).shuffleGrouping("spout");
        topology.bolt("end", "pass", (tuple, out) -> {
            if (executed.get() == 100) {
                awaitUninterrupted(gate);
            }
            executed.incrementAndGet();
        });
        TestEngine engine = topology.run(Map.of("updraft.loops", 2));
        engine.await("it is at the gate", () -> executed.get() == 100);
        assertThat(engine.engine.awaitIdle(Duration.ofMillis(50))).isFalse();
        gate.countDown();
        engine.await("all emitted", () -> untracked.next.get() == 300);
        // With its spout active only what was sent can be waited for.
        engine.engine.deactivate();
        assertThat(engine.engine.awaitIdle(LONG)).isTrue();
        assertThat(executed).hasValue(300);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldNotBeIdleWhileASpoutMayStillEmitFromACall() throws InterruptedException {
        CountDownLatch inCall = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger executed = new AtomicInteger();
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
            private boolean done;

            @Override
            public void nextTuple() {
                if (!done) {
                    done = true;
                    inCall.countDown();
                    awaitUninterrupted(gate);
                    out.emit(new Values(1));
                }
            }
        }));
        topology.bolt("end", "spout", (tuple, out) -> executed.incrementAndGet());
        TestEngine engine = topology.run();
        inCall.await();
        engine.engine.deactivate();
        assertThat(engine.engine.awaitIdle(Duration.ofMillis(50))).isFalse();
        gate.countDown();
        assertThat(engine.engine.awaitIdle(LONG)).isTrue();
        assertThat(executed).hasValue(1);
    }

    @Test
    void shouldNotBeIdleWhileATreeIsOpen() throws InterruptedException {
        Feed held = Feed.of(1);
        Queue<Runnable> acks = new ConcurrentLinkedQueue<>();
        topology.setSpout("spout", held.spout());
        topology.bolt("end", "spout", (tuple, out) -> acks.add(() -> out.ack(tuple)));
        TestEngine engine = topology.run();
        engine.await("executed", () -> !acks.isEmpty());
        engine.engine.deactivate();
        assertThat(engine.engine.awaitIdle(Duration.ofMillis(50))).isFalse();
        acks.remove().run();
        assertThat(engine.engine.awaitIdle(LONG)).isTrue();
        assertThat(held.ackCount()).isEqualTo(1);
    }

    @Test
    void shouldRunThreeHundredExecutors() {
        Feed many = Feed.of(30_000);
        topology.setSpout("spout", many.spout(), 60);
        topology.setBolt("a", TestBolt.passOn(), 80).shuffleGrouping("spout");
        topology.setBolt("b", TestBolt.passOn(), 80).fieldsGrouping("a", new Fields("v"));
        topology.setBolt("c", TestBolt.ack(), 80).shuffleGrouping("b");
        TestEngine engine = topology.run(Map.of("updraft.loops", 2));
        engine.await("all acked", many::isSettled);
        assertThat(many.failed).isEmpty();
        assertThat(engine.engine.snapshot().components().stream()
                        .mapToInt(c -> c.executors())
                        .sum())
                .isEqualTo(300);
    }

    @Test
    void shouldSleepAlthoughAComponentLeftItsThreadInterrupted() {
        Feed some = Feed.of(10);
        Set<Thread> runners = ConcurrentHashMap.newKeySet();
        topology.setSpout("spout", some.spout());
        topology.bolt("bolt", "spout", ackAfter(tuple -> {
            runners.add(Thread.currentThread());
            Thread.currentThread().interrupt();
        }));
        TestEngine engine = topology.run(Map.of("updraft.loops", 1));
        engine.await("all acked", some::isSettled);
        engine.await("its thread has forgotten it", () -> runners.stream().noneMatch(Thread::isInterrupted));
    }

    @Test
    void shouldWaitForTheCleanupOnAnotherThread() {
        int bolts = 8;
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger interrupted = new AtomicInteger();
        topology.setSpout("spout", feed.spout());
        topology.setBolt(
                        "bolt",
                        Local.bolt(() -> new TestBolt("v") {
                            /** Each is left behind on its thread, and the loop goes on with the next on another. */
                            @Override
                            public void cleanup() {
                                int own = begun.incrementAndGet();
                                long slow = System.nanoTime() + 300_000_000;
                                while (own == bolts ? System.nanoTime() < slow : begun.get() == own) {
                                    LockSupport.parkNanos(1_000_000);
                                    if (Thread.interrupted()) {
                                        interrupted.incrementAndGet();
                                        return;
                                    }
                                }
                            }
                        }),
                        bolts)
                .shuffleGrouping("spout");
        TestEngine engine = TestEngine.run(topology, Map.of("updraft.loops", 1));
        engine.await("all acked", feed::isSettled);
        engine.close();
        assertThat(begun).hasValue(bolts);
        assertThat(interrupted).hasValue(0);
    }

    /** It has eleven seconds to return. */
    @Test
    @Tag("long")
    void shouldNameTheComponentWhoseCleanupDoesNotReturn() {
        AtomicBoolean released = new AtomicBoolean();
        topology.setSpout("spout", feed.spout());
        topology.setBolt("bolt", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    public void cleanup() {
                        while (!released.get()) {
                            LockSupport.parkNanos(1_000_000);
                        }
                    }
                }))
                .shuffleGrouping("spout");
        TestEngine engine = TestEngine.run(topology, Map.of("updraft.loops", 1));
        engine.await("all acked", feed::isSettled);
        engine.close();
        try {
            assertThat(engine.errors).singleElement().satisfies(report -> {
                assertThat(report.where()).matches("bolt\\[\\d+]");
                assertThat(report.during()).isEqualTo("cleanup");
                assertThat(report.error())
                        .isInstanceOf(CallNotReturned.class)
                        .hasMessageStartingWith("cleanup did not return");
                assertThat(report.error().getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("cleanup"));
            });
        } finally {
            released.set(true);
        }
    }
}
