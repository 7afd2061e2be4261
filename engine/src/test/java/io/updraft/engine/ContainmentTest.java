package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackIf;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.run.Engine;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestContexts;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of an exception of user code on the tuple, the instance and other components. */
@SuppressWarnings("serial")
class ContainmentTest {

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final Feed healthy = Feed.of(5_000);
    private final Map<String, Object> conf = new HashMap<>(Map.of("updraft.loops", 2));
    private final AtomicInteger instances = new AtomicInteger();
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();

    private static final class Broken extends RuntimeException {
        private Broken(String where) {
            super("broken in " + where);
        }
    }

    /** Throws once, in one method. */
    private final class Breaker {
        private final String where;
        private final Supplier<Throwable> what;
        private boolean thrown;

        private Breaker(String where, Supplier<Throwable> what) {
            this.where = where;
            this.what = what;
        }

        private void in(String method) {
            calls.add(method);
            if (!thrown && method.equals(where)) {
                thrown = true;
                Breaker.<RuntimeException>sneak(what.get());
            }
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void sneak(Throwable error) throws T {
            throw (T) error;
        }
    }

    private TestEngine run() {
        topology.setSpout("good-spout", healthy.spout()).setMaxSpoutPending(500);
        topology.setBolt("good-bolt", TestBolt.ack()).shuffleGrouping("good-spout");
        return topology.run(conf);
    }

    private Feed withBolt(String where, Supplier<Throwable> what) {
        Feed feed = topology.feed(Feed.replaying(50));
        Breaker breaker = new Breaker(where, what);
        topology.setBolt("bolt", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    protected void prepared() {
                        instances.incrementAndGet();
                        breaker.in("prepare");
                    }

                    @Override
                    public void execute(Tuple tuple) {
                        breaker.in("execute");
                        out.ack(tuple);
                    }

                    @Override
                    public void cleanup() {
                        breaker.in("cleanup");
                    }
                }))
                .shuffleGrouping("spout");
        return feed;
    }

    private Feed withSpout(String where) {
        Feed feed = Feed.replaying(50);
        Breaker breaker = new Breaker(where, () -> new Broken(where));
        AtomicInteger executed = new AtomicInteger();
        topology.setSpout("spout", Local.spout(() -> new Feed.Instance(feed) {
            @Override
            protected void opened() {
                instances.incrementAndGet();
                breaker.in("open");
            }

            @Override
            public void activate() {
                breaker.in("activate");
            }

            @Override
            public void deactivate() {
                breaker.in("deactivate");
            }

            @Override
            public void nextTuple() {
                super.nextTuple();
                breaker.in("nextTuple");
            }

            @Override
            public void ack(Object messageId) {
                super.ack(messageId);
                breaker.in("ack");
            }

            @Override
            public void fail(Object messageId) {
                super.fail(messageId);
                breaker.in("fail");
            }
        }));
        topology.bolt("bolt", "spout", ackIf(tuple -> executed.incrementAndGet() != 10));
        return feed;
    }

    private static void shouldName(ErrorReport report, String component, int task, String during, Class<?> error) {
        assertThat(report.componentId()).isEqualTo(component);
        assertThat(report.taskId()).isEqualTo(task);
        assertThat(report.during()).isEqualTo(during);
        assertThat(report.error()).isInstanceOf(error);
        assertThat(report.error().getStackTrace()).isNotEmpty();
        assertThat(report.timeMillis()).isPositive();
        assertThat(report.consequence()).isNotEmpty();
    }

    @Test
    void shouldFailTheTupleAndRebuildTheBolt() {
        Feed feed = withBolt("execute", () -> new Broken("execute"));
        TestEngine engine = run();
        engine.await("all acked", () -> feed.ackCount() == 50 && healthy.isSettled());
        assertThat(feed.failed).hasSize(1);
        assertThat(instances).hasValue(2);
        assertThat(calls).containsSubsequence("prepare", "execute", "cleanup", "prepare", "execute");
        // Tasks: bolt 1, good-bolt 2, good-spout 3, spout 4.
        assertThat(engine.errors).hasSize(1);
        shouldName(engine.errors.peek(), "bolt", 1, "execute", Broken.class);
        engine.await(
                "counted",
                () -> engine.component("bolt").restarts() == 1
                        && engine.component("bolt").errors() == 1);
        assertThat(engine.engine.snapshot().recentErrors()).hasSize(1);
        assertThat(engine.engine.death()).isNull();
        assertThat(healthy.failed).isEmpty();
    }

    @Test
    void shouldTryAgainWhenPrepareThrows() {
        Feed feed = withBolt("prepare", () -> new Broken("prepare"));
        TestEngine engine = run();
        engine.await("all acked", () -> feed.ackCount() == 50 && healthy.isSettled());
        assertThat(feed.failed).isEmpty();
        assertThat(instances).hasValue(2);
        shouldName(engine.errors.peek(), "bolt", 1, "prepare", Broken.class);
    }

    @Test
    void shouldReportWhatCleanupThrows() {
        Feed feed = withBolt("cleanup", () -> new Broken("cleanup"));
        TestEngine engine = run();
        engine.await("all acked", () -> feed.ackCount() == 50);
        engine.close();
        assertThat(engine.errors).hasSize(1);
        shouldName(engine.errors.peek(), "bolt", 1, "cleanup", Broken.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "activate", "nextTuple", "ack", "fail"})
    void shouldRebuildASpoutThatThrows(String method) {
        Feed feed = withSpout(method);
        TestEngine engine = run();
        // What the old instance had in flight is forgotten with it: a new one would not know it.
        engine.await(
                "it goes on with a fresh instance",
                () -> instances.get() == 2
                        && feed.next.get() == 50
                        && engine.component("spout").inFlight() == 0);
        engine.await("the others go on", healthy::isSettled);
        assertThat(engine.errors).hasSize(1);
        shouldName(engine.errors.peek(), "spout", 4, method, Broken.class);
        assertThat(healthy.failed).isEmpty();
    }

    @Test
    void shouldNotDeactivateASpoutThatCouldNotBeActivated() {
        Feed feed = withSpout("activate");
        TestEngine engine = run();
        engine.await("another instance goes on", () -> instances.get() == 2 && feed.next.get() == 50);
        assertThat(calls.stream().filter(call -> call.endsWith("activate"))).containsExactly("activate", "activate");
    }

    @Test
    void shouldNotDeactivateASpoutThatGoesOnAlthoughItCouldNotBeActivated() throws InterruptedException {
        conf.put("updraft.on.error", "fail-tuple");
        Feed feed = withSpout("activate");
        TestEngine engine = run();
        engine.await("it goes on", () -> feed.next.get() == 50);
        engine.engine.deactivate();
        assertThat(engine.engine.awaitIdle(Duration.ofSeconds(50))).isTrue();
        engine.engine.activate();
        engine.await(
                "it is activated",
                () -> calls.stream().filter("activate"::equals).count() == 2);
        assertThat(calls).doesNotContain("deactivate");
        assertThat(instances).hasValue(1);
    }

    @Test
    void shouldReportWhatDeactivateThrows() {
        Feed feed = withSpout("deactivate");
        TestEngine engine = run();
        engine.await("all acked", () -> feed.ackCount() == 50);
        engine.engine.deactivate();
        engine.await("reported", () -> !engine.errors.isEmpty());
        shouldName(engine.errors.peek(), "spout", 4, "deactivate", Broken.class);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {StackOverflowError.class, NoClassDefFoundError.class, AssertionError.class, Exception.class})
    void shouldSurviveErrorsOfTheUsersCode(Class<? extends Throwable> type) {
        Feed feed = withBolt("execute", () -> {
            try {
                return type.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        TestEngine engine = run();
        engine.await("all acked", () -> feed.ackCount() == 50 && healthy.isSettled());
        shouldName(engine.errors.peek(), "bolt", 1, "execute", type);
        assertThat(engine.engine.death()).isNull();
    }

    @Test
    void shouldDieOfOutOfMemory() {
        withBolt("execute", () -> new OutOfMemoryError("thrown by the test"));
        TestEngine engine = run();
        engine.await("dead", () -> engine.deaths.size() == 1);
        shouldName(engine.deaths.peek(), "bolt", 1, "execute", OutOfMemoryError.class);
        assertThat(engine.engine.death()).isSameAs(engine.deaths.peek());
        assertThat(engine.engine.isActive()).isFalse();
    }

    @Test
    void shouldDieOnceWhenTheConfigurationSaysSo() {
        conf.put("updraft.on.error", "die");
        Feed feed = topology.feed(Feed.of(50));
        topology.bolt("bolt", 3, "spout", (tuple, out) -> {
            throw new Broken("execute");
        });
        TestEngine engine = run();
        engine.await("dead", () -> !engine.deaths.isEmpty());
        engine.await("no more spout turns", () -> !engine.engine.isActive());
        assertThat(engine.engine.death().componentId()).isEqualTo("bolt");
        assertThat(engine.engine.death().error()).isInstanceOf(Broken.class);
    }

    @Test
    void shouldCallOnDeathOnceThoughSeveralThrow() throws InterruptedException {
        conf.put("updraft.on.error", "die");
        CountDownLatch allIn = new CountDownLatch(3);
        topology.setSpout("spout", Feed.of(50).spout());
        topology.setBolt(
                        "bolt",
                        TestBolt.of((tuple, out) -> {
                            allIn.countDown();
                            try {
                                allIn.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            throw new Broken("execute");
                        }),
                        3)
                .allGrouping("spout");
        TestEngine engine = run();
        allIn.await();
        engine.await("dead", () -> !engine.deaths.isEmpty());
        engine.close();
        assertThat(engine.deaths).hasSize(1);
    }

    @Test
    void shouldKeepTheInstanceWhenOnlyTheTupleIsToFail() {
        conf.put("updraft.on.error", "fail-tuple");
        Feed feed = withBolt("execute", () -> new Broken("execute"));
        TestEngine engine = run();
        engine.await("all acked", () -> feed.ackCount() == 50);
        assertThat(feed.failed).hasSize(1);
        assertThat(instances).hasValue(1);
        assertThat(calls).doesNotContain("cleanup");
        assertThat(engine.errors.peek().consequence()).isEqualTo("the instance continues");
    }

    @Test
    void shouldBackOffLongerEachTime() {
        Feed feed = topology.feed(Feed.replaying(1));
        Queue<Long> times = new ConcurrentLinkedQueue<>();
        topology.bolt("bolt", "spout", (tuple, out) -> {
            times.add(System.nanoTime());
            if (times.size() <= 6) {
                throw new Broken("execute");
            }
            out.ack(tuple);
        });
        TestEngine engine = run();
        engine.await("acked in the end", () -> feed.ackCount() == 1);
        long first = times.remove();
        long last = first;
        while (!times.isEmpty()) {
            last = times.remove();
        }
        // At once, then after 1, 2, 4, 8 and 16 ms; longer on a busy machine.
        assertThat(last - first).isGreaterThan(31_000_000);
        engine.await("the others go on", healthy::isSettled);
    }

    @Test
    void shouldRebuildOnlyTheTaskThatThrew() {
        Feed feed = topology.feed(Feed.replaying(100));
        Map<Integer, AtomicInteger> prepared = new ConcurrentHashMap<>();
        AtomicInteger executed = new AtomicInteger();
        topology.setBolt("bolt", Local.bolt(() -> new TestBolt("v") {
                    @Override
                    protected void prepared() {
                        prepared.computeIfAbsent(context.getThisTaskId(), k -> new AtomicInteger())
                                .incrementAndGet();
                    }

                    @Override
                    public void execute(Tuple tuple) {
                        if (context.getThisTaskId() == 2 && executed.incrementAndGet() == 5) {
                            throw new Broken("execute");
                        }
                        out.ack(tuple);
                    }
                }))
                .setNumTasks(3)
                .shuffleGrouping("spout");
        TestEngine engine = run();
        engine.await("all acked", () -> feed.ackCount() == 100);
        assertThat(prepared.get(1)).hasValue(1);
        assertThat(prepared.get(2)).hasValue(2);
        assertThat(prepared.get(3)).hasValue(1);
    }

    @Test
    void shouldSurviveAnOwnerThatThrowsWhenItIsTold() {
        Feed feed = withBolt("execute", () -> new Broken("execute"));
        topology.setSpout("good-spout", healthy.spout());
        topology.setBolt("good-bolt", TestBolt.ack()).shuffleGrouping("good-spout");
        try (Engine engine = Engine.start(
                topology.createTopology(),
                conf,
                new EngineOptions(
                        "test",
                        "test-1",
                        new TestContexts(),
                        EngineClock.SYSTEM,
                        1,
                        report -> {
                            throw new Broken("the owner");
                        },
                        report -> {}))) {
            engine.activate();
            Await.until("all acked", () -> feed.ackCount() == 50 && healthy.isSettled(), engine::snapshot);
            assertThat(engine.death()).isNull();
        }
    }

    @Test
    void shouldReportWhatTheComponentReports() {
        Feed feed = topology.feed(Feed.of(1));
        topology.bolt("bolt", "spout", (tuple, out) -> {
            out.reportError(new Broken("spirit"));
            out.ack(tuple);
        });
        TestEngine engine = run();
        engine.await("acked", feed::isSettled);
        shouldName(engine.errors.peek(), "bolt", 1, "reportError", Broken.class);
    }

    @Test
    void shouldEndTheTopologyWhenTheEnginesOwnCodeFails() {
        AtomicBoolean fails = new AtomicBoolean();
        EngineClock clock = new EngineClock() {
            @Override
            public long nanoTime() {
                if (fails.get() && Thread.currentThread().getName().equals("updraft-loop-1")) {
                    throw new IllegalStateException("no time");
                }
                return System.nanoTime();
            }

            @Override
            public long currentTimeMillis() {
                return System.currentTimeMillis();
            }
        };
        topology.setSpout("feed", healthy.spout());
        topology.setBolt("sink", TestBolt.ack()).shuffleGrouping("feed");
        TestEngine engine = topology.run(conf, clock);
        fails.set(true);
        engine.await("the topology has died", () -> !engine.deaths.isEmpty());
        ErrorReport death = engine.deaths.peek();
        assertThat(death.where()).isEqualTo("the engine");
        assertThat(death.during()).isEqualTo("updraft-loop-1");
        assertThat(death.error()).hasMessage("no time");
        assertThat(engine.engine.isActive()).isFalse();
    }
}
