package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.LastSeen;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestClock;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import io.updraft.engine.tuple.EdgeIds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.storm.Config;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LastSeenTest {

    private static final int MESSAGES = 20;
    private static final int TIMEOUT_SECONDS = 30;

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final TestClock clock = new TestClock();
    private final Feed feed = Feed.of(MESSAGES);

    private static IRichBolt holding() {
        return TestBolt.of((tuple, out) -> {});
    }

    /** Emits two tuples for each, and acks. */
    private static IRichBolt doubling() {
        return TestBolt.of((tuple, out) -> {
            out.emit(tuple, new Values(1L));
            out.emit(tuple, new Values(2L));
            out.ack(tuple);
        });
    }

    private TestEngine run(int loops) {
        return TestEngine.run(
                topology, Map.of("updraft.loops", loops, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, TIMEOUT_SECONDS), clock);
    }

    /** Waits until the oldest message is where it should be, and then until all have timed out there. */
    private void expect(String component, boolean held) {
        expect(component, held, 1);
    }

    private void expect(String component, boolean held, int loops) {
        TestEngine engine = run(loops);
        engine.await("all executed", () -> feed.next.get() == MESSAGES && isStill(engine));
        clock.advance(Duration.ofSeconds(5));
        engine.await(
                "the oldest message seen",
                () -> engine.engine.snapshot().lastSeen().stream()
                        .anyMatch(seen -> seen.isInFlight()
                                && seen.spout().equals("spout")
                                && seen.message().equals("0")
                                && seen.nanos() >= Duration.ofSeconds(5).toNanos()
                                && seen.component().equals(component)
                                && seen.held() == held));
        clock.advance(Duration.ofSeconds(TIMEOUT_SECONDS));
        engine.await("all timed out", () -> timedOut(engine) == MESSAGES);
        assertThat(engine.engine.snapshot().lastSeen())
                .extracting(LastSeen::spout, LastSeen::timedOut, LastSeen::component, LastSeen::held)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("spout", (long) MESSAGES, component, held));
    }

    private static long timedOut(TestEngine engine) {
        return engine.engine.snapshot().lastSeen().stream()
                .mapToLong(LastSeen::timedOut)
                .sum();
    }

    /** Whether no queue has a tuple, apart from a bolt that waits. */
    private static boolean isStill(TestEngine engine) {
        return engine.engine.snapshot().components().stream()
                .allMatch(component -> component.id().equals("waiting")
                        || component.queued() == 0 && (component.spout() || component.executed() > 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldNameTheSpoutWhoseTupleABoltHolds(int loops) {
        topology.setSpout("spout", feed.spout());
        topology.setBolt("holding", holding(), 2).shuffleGrouping("spout");
        expect("spout", false, loops);
    }

    /** A tuple that is passed on takes the place of the spout's, unless its input was chosen for a measurement of latency. */
    @Test
    void shouldNameASenderUpstreamOfTheBoltThatHoldsATupleThatWasPassedOn() {
        topology.setSpout("spout", feed.spout());
        topology.setBolt("first", TestBolt.passOn()).shuffleGrouping("spout");
        topology.setBolt("second", holding()).shuffleGrouping("first");
        TestEngine engine = run(1);
        engine.await("all executed", () -> feed.next.get() == MESSAGES && isStill(engine));
        clock.advance(Duration.ofSeconds(TIMEOUT_SECONDS + 1));
        engine.await("all timed out", () -> timedOut(engine) == MESSAGES);
        assertThat(engine.engine.snapshot().lastSeen())
                .allMatch(seen -> !seen.held() && List.of("spout", "first").contains(seen.component()))
                .anyMatch(seen -> seen.component().equals("spout"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldNameTheBoltThatSentTheOnlyTupleLeft(int loops) {
        topology.setSpout("spout", feed.spout());
        topology.setBolt("doubling", doubling(), 2).shuffleGrouping("spout");
        topology.setBolt(
                        "half",
                        TestBolt.of((tuple, out) -> {
                            if (tuple.getLong(0) == 1) {
                                out.ack(tuple);
                            }
                        }),
                        2)
                .fieldsGrouping("doubling", new Fields("v"));
        expect("doubling", false, loops);
    }

    @Test
    void shouldNameTheBoltThatHoldsOneOfTwoBranches() {
        topology.setSpout("spout", feed.spout());
        topology.setBolt("acking", TestBolt.ack()).shuffleGrouping("spout");
        topology.setBolt("holding", holding()).shuffleGrouping("spout");
        expect("spout", false);
    }

    @Test
    void shouldNameTheBoltThatSendsTuplesOnAndForgetsToAck() {
        topology.setSpout("spout", feed.spout());
        topology.bolt("forgetful", "spout", (tuple, out) -> out.emit(tuple, new Values(tuple.getValue(0))));
        topology.setBolt("acking", TestBolt.ack()).shuffleGrouping("forgetful");
        expect("forgetful", true);
    }

    @Test
    void shouldNameNoComponentWhenSeveralTuplesAreLeft() {
        topology.setSpout("spout", feed.spout());
        topology.setBolt("doubling", doubling()).shuffleGrouping("spout");
        topology.setBolt("holding", holding()).shuffleGrouping("doubling");
        expect("", false);
    }

    @Tag("slow")
    @Test
    void shouldNameTheSpoutWhoseTuplesAreQueuedAtABoltThatWaits() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        topology.setSpout("spout", feed.spout());
        topology.bolt("waiting", "spout", (tuple, out) -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            expect("spout", false);
        } finally {
            end.countDown();
        }
    }

    /** The seeds of two workers differ by the difference of their numbers. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 64})
    void shouldKnowTheTuplesThatAnotherWorkerSends(int incarnation) {
        topology.setSpout("spout", feed.spout(), 2);
        topology.setBolt("holding", holding(), 2).shuffleGrouping("spout");
        SingleWorker own = new SingleWorker(topology.createTopology(), 2, 0, 3, 1);
        SingleWorker other = new SingleWorker(topology.createTopology(), 2, 1, incarnation, 1);
        List<Executor> executors = other.assembly().executors();
        assertThat(executors).hasSize(2);
        for (Executor executor : executors) {
            for (long seed : other.assembly().shared().edgeSeeds(executor.plan().index())) {
                assertThat(own.assembly().shared().origins().componentOf(new EdgeIds(seed).next()))
                        .isEqualTo(executor.component().id());
            }
        }
    }

    @Test
    void shouldShowAMessageIdWithoutAText() {
        topology.setSpout("spout", Local.spout(() -> new Feed.Instance(feed) {
            @Override
            protected void send(Object message, Object messageId) {
                out.emit(new Values(message), new Unprintable());
            }
        }));
        topology.setBolt("holding", holding()).shuffleGrouping("spout");
        TestEngine engine = run(1);
        engine.await("all emitted", () -> feed.next.get() == MESSAGES);
        clock.advance(Duration.ofSeconds(5));
        engine.await(
                "the oldest message seen",
                () -> !engine.engine.snapshot().lastSeen().isEmpty());
        assertThat(engine.engine.snapshot().lastSeen())
                .extracting(LastSeen::message)
                .containsExactly("Unprintable");
        assertThat(engine.errors).isEmpty();
    }

    private static final class Unprintable {

        @Override
        public String toString() {
            throw new IllegalStateException("on purpose");
        }
    }

    @Test
    void shouldMergeTheOldestMessagesAndTheCountsOfPlaces() {
        LastSeen young = new LastSeen("spout", 0, "young", 1, "a", false);
        LastSeen old = new LastSeen("spout", 0, "old", 2, "b", false);
        LastSeen few = new LastSeen("spout", 3, "x", 9, "a", false);
        LastSeen more = new LastSeen("spout", 4, "y", 8, "a", false);
        LastSeen held = new LastSeen("spout", 9, "z", 8, "a", true);
        assertThat(LastSeen.merge(List.of(young, few, old, more, held).stream()))
                .containsExactly(old, held, new LastSeen("spout", 7, "y", 8, "a", false));
    }
}
