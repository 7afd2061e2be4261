package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestClock;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call that does not return is seen while it lasts. */
class StuckCallTest {

    private final TestTopology topology = new TestTopology();
    private final AtomicBoolean over = new AtomicBoolean();
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void release() {
        over.set(true);
        released.countDown();
    }

    private void withBolt(Runnable execute) {
        topology.setSpout("feed", Feed.of(10).spout());
        topology.bolt("culprit", "feed", ackAfter(tuple -> execute.run()));
    }

    /** Runs the topology until the snapshot has a call, and releases the call afterwards. */
    private CallInProgress seen(Map<String, Object> conf) {
        try (TestEngine engine = TestEngine.run(topology, conf)) {
            engine.await(
                    "the call is seen", () -> !engine.engine.snapshot().calls().isEmpty());
            CallInProgress call = engine.engine.snapshot().calls().get(0);
            release();
            engine.await(
                    "the call has returned",
                    () -> engine.engine.snapshot().calls().isEmpty());
            return call;
        }
    }

    private void sleep() {
        while (!over.get()) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void shouldSeeABoltThatWaitsForALockAndItsHolder() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        CountDownLatch held = new CountDownLatch(1);
        Thread holder = new Thread(
                () -> {
                    lock.lock();
                    held.countDown();
                    sleep();
                    lock.unlock();
                },
                "the-holder");
        holder.start();
        held.await();
        withBolt(() -> {
            lock.lock();
            lock.unlock();
        });
        CallInProgress call = seen(Map.of());
        holder.join();
        assertThat(call.component()).isEqualTo("culprit");
        assertThat(call.method()).isEqualTo("execute");
        assertThat(call.nanos()).isGreaterThanOrEqualTo(CallInProgress.STUCK_FROM_NANOS);
        assertThat(call.activity()).contains("ReentrantLock").endsWith("held by 'the-holder'");
        assertThat(call.place()).startsWith("StuckCallTest.java:");
        assertThat(call.stack()).anyMatch(frame -> frame.contains("ReentrantLock.lock"));
        assertThat(call.deadlocked()).isFalse();
    }

    @Test
    void shouldSeeAnEndlessLoop() {
        withBolt(() -> {
            while (!over.get()) {
                Thread.onSpinWait();
            }
        });
        CallInProgress call = seen(Map.of("updraft.loops", 1));
        assertThat(call.describe())
                .startsWith("culprit task ")
                .contains(" in execute() for ")
                .endsWith(", running");
    }

    @Test
    void shouldSeeASpoutThatNeverReturns() {
        topology.setSpout("culprit", Local.spout(() -> new TestSpout("v") {
            @Override
            public void nextTuple() {
                sleep();
            }
        }));
        assertThat(seen(Map.of()).method()).isEqualTo("nextTuple");
    }

    @Test
    void shouldCallAStartStuckOnlyWhenItTakesMuchLongerThanUsual() {
        TestClock clock = new TestClock();
        CountDownLatch opening = new CountDownLatch(1);
        topology.setSpout("culprit", Local.spout(() -> new TestSpout("v") {
            @Override
            public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
                opening.countDown();
                sleep();
            }
        }));
        try (TestEngine engine = TestEngine.run(topology, Map.of(), clock)) {
            engine.await("the spout opens", () -> opening.getCount() == 0);
            clock.advance(Duration.ofSeconds(20));
            assertThat(engine.engine.snapshot().calls()).isEmpty();
            clock.advance(Duration.ofSeconds(10));
            assertThat(engine.engine.snapshot().calls())
                    .extracting(CallInProgress::method)
                    .containsExactly("open");
            release();
        }
    }

    @Test
    void shouldNameTheTaskOfAnExecutorWithSeveral() {
        topology.setSpout("feed", Feed.of(100).spout());
        int[] stuck = {-1};
        topology.setBolt("culprit", Local.bolt(() -> new TestBolt("v") {
                    private transient int task;

                    @Override
                    protected void prepared() {
                        task = context.getThisTaskId();
                    }

                    @Override
                    public void execute(Tuple tuple) {
                        if (tuple.getLong(0) == 42) {
                            stuck[0] = task;
                            sleep();
                        }
                    }
                }))
                .setNumTasks(4)
                .shuffleGrouping("feed");
        CallInProgress call = seen(Map.of("updraft.loops", 1));
        assertThat(call.task()).isEqualTo(stuck[0]);
    }

    @Test
    void shouldNameTheLineThatWaitsForRoomInEmit() {
        topology.setSpout("feed", Feed.of(1).spout());
        topology.bolt("culprit", "feed", (tuple, out) -> {
            while (!over.get()) {
                out.emit(List.of(1L));
            }
        });
        topology.bolt("sink", "culprit", ackAfter(tuple -> sleep()));
        try (TestEngine engine = TestEngine.run(topology, Map.of())) {
            engine.await(
                    "the emit waits",
                    () -> engine.engine.snapshot().calls().stream()
                            .anyMatch(call -> call.describe()
                                    .matches(
                                            "culprit task \\d+ in execute\\(\\) for \\d+s at StuckCallTest\\.java:\\d+, "
                                                    + "waiting for room in emit, back-pressure from sink")));
            release();
        }
    }

    @Test
    void shouldSeeADeadlock() throws InterruptedException {
        Object second = new Object();
        ReentrantLock breakable = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        // The other thread can be interrupted, so that the deadlock ends with the test.
        Thread other = new Thread(
                () -> {
                    synchronized (second) {
                        both.countDown();
                        try {
                            both.await();
                            breakable.lockInterruptibly();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                },
                "the-other");
        withBolt(() -> {
            breakable.lock();
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (second) {
                breakable.unlock();
            }
        });
        other.start();
        try (TestEngine engine = TestEngine.run(topology, Map.of())) {
            engine.await(
                    "the deadlock is seen",
                    () -> engine.engine.snapshot().calls().stream().anyMatch(CallInProgress::deadlocked));
            assertThat(engine.engine.snapshot().calls().get(0).describe())
                    .contains("DEADLOCK: waiting for java.lang.Object@")
                    .endsWith("held by 'the-other'");
            other.interrupt();
            other.join();
        }
    }

    @Test
    void shouldCountTheTimeOfACallUnderWay() {
        withBolt(this::sleep);
        try (TestEngine engine = TestEngine.run(topology, Map.of())) {
            engine.await(
                    "the call is seen", () -> !engine.engine.snapshot().calls().isEmpty());
            EngineSnapshot before = engine.engine.snapshot();
            engine.await(
                    "a second has passed",
                    () -> engine.engine.snapshot().uptimeNanos() - before.uptimeNanos() > 1_000_000_000L);
            EngineSnapshot after = engine.engine.snapshot();
            assertThat(busyNanos(after) - busyNanos(before)).isEqualTo(after.uptimeNanos() - before.uptimeNanos());
            release();
        }
    }

    private static long busyNanos(EngineSnapshot snapshot) {
        return snapshot.components().stream()
                .filter(component -> component.id().equals("culprit"))
                .mapToLong(ComponentSnapshot::busyNanos)
                .sum();
    }

    @Test
    void shouldSeeNoCallThatReturns() {
        Feed feed = Feed.of(1000);
        topology.setSpout("feed", feed.spout());
        topology.setBolt("quick", TestBolt.ack()).shuffleGrouping("feed");
        try (TestEngine engine = TestEngine.run(topology, Map.of())) {
            engine.await("all are acked", feed::isSettled);
            assertThat(engine.engine.snapshot().calls()).isEqualTo(List.of());
        }
    }
}
