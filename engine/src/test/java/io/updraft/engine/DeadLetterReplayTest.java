package io.updraft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestClock;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@SuppressWarnings("serial")
class DeadLetterReplayTest {
    private static final Map<String, Object> ONE_REPLAY = Map.of("updraft.max.replays", 1);

    @AutoClose("shutdownNow")
    private final ExecutorService operators = Executors.newFixedThreadPool(2);

    @AutoClose
    private final TestTopology topology = new TestTopology();

    /** What the bolt does with tuples. */
    private volatile Outcome outcome = Outcome.FAIL;

    private final Queue<Tuple> executed = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();

    private enum Outcome {
        ACK,
        FAIL,
        HOLD
    }

    private void execute(Tuple tuple, OutputCollector out) {
        executed.add(tuple);
        switch (outcome) {
            case ACK -> out.ack(tuple);
            case FAIL -> out.fail(tuple);
            case HOLD -> held.add(() -> out.ack(tuple));
        }
    }

    private TestEngine run(Feed feed, Map<String, Object> more) {
        topology.setSpout("spout", feed.spout());
        topology.setBolt("bolt", TestBolt.of(this::execute)).shuffleGrouping("spout");
        Map<String, Object> conf = new HashMap<>(ONE_REPLAY);
        conf.putAll(more);
        return topology.run(conf);
    }

    private static void awaitLetters(TestEngine engine, int number) {
        engine.await("letters", () -> engine.engine.deadLetters().size() == number);
    }

    private static void awaitAll(TestEngine engine, Replay state) {
        engine.await(
                "all " + state,
                () -> engine.engine.deadLetters().stream().allMatch(letter -> letter.replay() == state));
    }

    @Test
    void shouldReplayLettersWithoutNotifyingTheSpout() {
        Feed feed = Feed.replaying(3);
        TestEngine engine = run(feed, Map.of());
        awaitLetters(engine, 3);
        engine.await("given up", () -> feed.ackCount() == 3);
        int before = executed.size();
        outcome = Outcome.ACK;
        assertThat(engine.engine.replay(List.of(2L))).containsExactly(2L);
        engine.await(
                "completed", () -> states(engine).equals(List.of(Replay.POSSIBLE, Replay.COMPLETED, Replay.POSSIBLE)));
        assertThat(engine.engine.replayAll()).containsExactly(1L, 3L);
        awaitAll(engine, Replay.COMPLETED);
        assertThat(executed.stream().skip(before).map(tuple -> tuple.getLong(0)))
                .containsExactlyInAnyOrderElementsOf(engine.engine.deadLetters().stream()
                        .map(letter -> (Long) letter.values().get(0))
                        .toList());
        assertThat(feed.ackCount()).isEqualTo(3);
        assertThat(feed.failCount()).isEqualTo(3);
        assertThat(engine.engine.replayAll()).isEmpty();
        engine.await(
                "a replay is counted as an emit",
                () -> engine.component("spout").emitted() >= 9);
        assertThat(engine.component("spout").deadLettered()).isEqualTo(3);
    }

    @Test
    void shouldKeepALetterThatFailsAgain() {
        Feed feed = Feed.replaying(1);
        TestEngine engine = run(feed, Map.of());
        awaitLetters(engine, 1);
        engine.engine.replayAll();
        awaitAll(engine, Replay.FAILED_AGAIN);
        engine.engine.replayAll();
        engine.await("failed", () -> engine.engine.deadLetters().get(0).failures() == 4);
        outcome = Outcome.ACK;
        engine.engine.replayAll();
        awaitAll(engine, Replay.COMPLETED);
        assertThat(executed).hasSize(5);
        assertThat(feed.failCount()).isEqualTo(1);
        engine.await("counted once", () -> engine.component("spout").deadLettered() == 1);
    }

    @Test
    void shouldKeepALetterWhoseReplayTimesOut() {
        TestClock clock = new TestClock();
        topology.setSpout("spout", Feed.replaying(1).spout());
        topology.setBolt("bolt", TestBolt.of(this::execute)).shuffleGrouping("spout");
        TestEngine engine = topology.run(ONE_REPLAY, clock);
        awaitLetters(engine, 1);
        outcome = Outcome.HOLD;
        engine.engine.replayAll();
        engine.await("held", () -> !held.isEmpty());
        engine.await("timed out", () -> {
            clock.advance(Duration.ofSeconds(10));
            return states(engine).contains(Replay.FAILED_AGAIN);
        });
        assertThat(engine.engine.deadLetters().get(0).reason()).isEqualTo("timed out");
        held.remove().run();
        outcome = Outcome.ACK;
        engine.engine.replayAll();
        awaitAll(engine, Replay.COMPLETED);
    }

    @Test
    void shouldReplayALetterOnceForTwoOperators() throws Exception {
        int messages = 200;
        TestEngine engine = run(Feed.replaying(messages), Map.of());
        awaitLetters(engine, messages);
        int before = executed.size();
        outcome = Outcome.ACK;
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<List<Long>> press = () -> {
            together.await();
            return engine.engine.replayAll();
        };
        List<Long> ordered = new ArrayList<>();
        for (Future<List<Long>> each : operators.invokeAll(List.of(press, press))) {
            ordered.addAll(each.get());
        }
        assertThat(ordered).hasSize(messages).doesNotHaveDuplicates();
        awaitAll(engine, Replay.COMPLETED);
        assertThat(executed).hasSize(before + messages);
    }

    @Test
    void shouldCountReplaysAsPending() {
        TestEngine engine = run(Feed.replaying(5), Map.of("topology.max.spout.pending", 1));
        awaitLetters(engine, 5);
        outcome = Outcome.HOLD;
        engine.engine.replayAll();
        for (int completed = 0; completed < 5; completed++) {
            engine.await("held", () -> held.size() == 1);
            assertThat(states(engine).stream().filter(Replay.IN_FLIGHT::equals)).hasSize(1);
            held.remove().run();
        }
        awaitAll(engine, Replay.COMPLETED);
    }

    @Test
    void shouldRefuseUnknownNumbersAndTopologiesThatDoNotRun() {
        TestEngine engine = run(Feed.replaying(1), Map.of("updraft.on.error", "die"));
        awaitLetters(engine, 1);
        assertThatThrownBy(() -> engine.engine.replay(List.of(1L, 2L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no dead letter 2");
        assertThat(states(engine)).containsExactly(Replay.POSSIBLE);
        engine.engine.deactivate();
        assertThatThrownBy(engine.engine::replayAll)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("topology 'test' is inactive: its spouts do not emit");
        engine.engine.activate();
        held.clear();
        outcome = null; // the bolt throws
        engine.engine.replayAll();
        engine.await("dead", () -> engine.engine.death() != null);
        assertThatThrownBy(engine.engine::replayAll).hasMessage("topology 'test' has died");
    }

    @Test
    void shouldReplayFromTheSameTaskAfterARebalance() throws InterruptedException {
        Feed feed = Feed.replaying(60);
        topology.setSpout("spout", feed.spout(), 1).setNumTasks(3);
        topology.setBolt("bolt", TestBolt.of(this::execute)).shuffleGrouping("spout");
        TestEngine engine = topology.run(ONE_REPLAY);
        awaitLetters(engine, 60);
        Map<Long, Integer> tasks = new ConcurrentHashMap<>();
        engine.engine
                .deadLetters()
                .forEach(letter -> tasks.put((Long) letter.values().get(0), letter.task()));
        assertThat(tasks.values()).contains(2, 3, 4);
        assertThat(engine.engine.rebalance(Map.of("spout", 3), Duration.ofSeconds(30)))
                .isTrue();
        int before = executed.size();
        outcome = Outcome.ACK;
        engine.engine.replayAll();
        awaitAll(engine, Replay.COMPLETED);
        assertThat(executed.stream().skip(before))
                .hasSize(60)
                .allMatch(tuple -> tuple.getSourceTask() == tasks.get(tuple.getLong(0)));
    }

    @Test
    void shouldKeepLettersAndReplaysWhenAnInstanceIsReplaced() {
        AtomicBoolean broken = new AtomicBoolean();
        AtomicInteger opened = new AtomicInteger();
        Feed feed = Feed.replaying(2);
        topology.setSpout("spout", Local.spout(() -> new Feed.Instance(feed) {
            {
                opened.incrementAndGet();
            }

            @Override
            public void nextTuple() {
                if (broken.getAndSet(false)) {
                    throw new IllegalStateException("broken");
                }
                super.nextTuple();
            }
        }));
        topology.setBolt("bolt", TestBolt.of(this::execute)).shuffleGrouping("spout");
        TestEngine engine = topology.run(ONE_REPLAY);
        awaitLetters(engine, 2);
        outcome = Outcome.HOLD;
        engine.engine.replay(List.of(1L));
        engine.await("held", () -> held.size() == 1);
        int before = opened.get();
        broken.set(true);
        engine.await("replaced", () -> opened.get() > before);
        assertThat(states(engine)).containsExactly(Replay.IN_FLIGHT, Replay.POSSIBLE);
        held.remove().run();
        outcome = Outcome.ACK;
        assertThat(engine.engine.replayAll()).containsExactly(2L);
        awaitAll(engine, Replay.COMPLETED);
    }

    @Test
    void shouldNotReplayOnADirectStream() {
        topology.setSpout("spout", Local.spout(DirectSpout::new));
        topology.setBolt("bolt", TestBolt.of(this::execute)).directGrouping("spout", "direct");
        TestEngine engine = topology.run(ONE_REPLAY);
        awaitLetters(engine, 1);
        assertThat(states(engine)).containsExactly(Replay.DIRECT_STREAM);
        assertThatThrownBy(() -> engine.engine.replay(List.of(1L))).hasMessageContaining("its stream is direct");
        assertThat(engine.engine.replayAll()).isEmpty();
    }

    /** Emits one message to task 1, and again when it fails. */
    private static final class DirectSpout extends TestSpout {
        private boolean emitted;

        @Override
        public void nextTuple() {
            if (!emitted) {
                emitted = true;
                out.emitDirect(1, "direct", new Values(1L), "id");
            }
        }

        @Override
        public void fail(Object messageId) {
            emitted = false;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declareStream("direct", true, new Fields("v"));
        }
    }

    private static List<Replay> states(TestEngine engine) {
        return engine.engine.deadLetters().stream().map(DeadLetter::replay).toList();
    }
}
