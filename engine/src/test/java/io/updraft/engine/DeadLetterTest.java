package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static io.updraft.engine.testing.TestBolt.ackIf;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.testing.TestTopology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.parser.JSONParser;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("serial")
class DeadLetterTest {

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final Queue<Tuple> letters = new ConcurrentLinkedQueue<>();

    @Test
    void shouldGiveUpAMessageAfterSoManyReplays() {
        Feed feed = topology.feed(Feed.replaying(100));
        AtomicInteger tries = new AtomicInteger();
        topology.bolt("bolt", "spout", (tuple, out) -> {
            if (tuple.getLong(0) == 7) {
                tries.incrementAndGet();
                out.fail(tuple);
            } else {
                out.ack(tuple);
            }
        });
        topology.setBolt("dead", TestBolt.of(ackAfter(letters::add))).shuffleGrouping("spout", "__dead_letter");
        TestEngine engine = topology.run(Map.of("updraft.max.replays", 3));
        engine.await("all acked, the given-up one included", () -> feed.ackCount() == 100);
        assertThat(tries).hasValue(4);
        assertThat(feed.failed).containsExactly(7L, 7L, 7L);
        assertThat(letters).hasSize(1);
        Tuple letter = letters.remove();
        // Tasks: bolt 1, dead 2, spout 3.
        assertThat(letter.getStringByField("component")).isEqualTo("spout");
        assertThat(letter.getIntegerByField("task")).isEqualTo(3);
        assertThat(letter.getStringByField("stream")).isEqualTo("default");
        assertThat(letter.getValueByField("messageId")).isEqualTo(7L);
        assertThat(letter.getValueByField("values")).isEqualTo(List.of(7L));
        assertThat(letter.getIntegerByField("failures")).isEqualTo(4);
        assertThat(letter.getStringByField("reason")).isEqualTo("failed");
        engine.await("counted", () -> engine.component("spout").deadLettered() == 1);
    }

    @Test
    void shouldReplayAMessageWhoseDeadLetterFails() {
        Feed feed = topology.feed(Feed.replaying(1));
        topology.setBolt("bolt", TestBolt.of((tuple, out) -> out.fail(tuple))).shuffleGrouping("spout");
        topology.setBolt("dead", TestBolt.of((tuple, out) -> {
                    letters.add(tuple);
                    if (letters.size() == 1) {
                        throw new IllegalStateException("the dead letter bolt is broken");
                    }
                    out.ack(tuple);
                }))
                .shuffleGrouping("spout", "__dead_letter");
        TestEngine engine = topology.run(Map.of("updraft.max.replays", 1));
        engine.await("acked in the end", () -> feed.ackCount() == 1);
        assertThat(letters).hasSize(2);
        // One replay before each letter, one because the first letter failed.
        assertThat(feed.failCount()).isEqualTo(3);
    }

    @Test
    void shouldCountTheFailuresOfEachTaskByThemselves() {
        Map<Integer, AtomicInteger> tries = new ConcurrentHashMap<>();
        Queue<Integer> acked = new ConcurrentLinkedQueue<>();
        topology.setSpout("spout", Local.spout(() -> new SameIds(acked)), 1).setNumTasks(2);
        topology.bolt("bolt", "spout", ackIf(tuple -> {
            tries.computeIfAbsent(tuple.getSourceTask(), task -> new AtomicInteger());
            return tries.get(tuple.getSourceTask()).incrementAndGet() > 3;
        }));
        TestEngine engine = topology.run(Map.of("updraft.max.replays", 3));
        engine.await("both are acked", () -> acked.size() == 2);
        assertThat(engine.component("spout").deadLettered()).isZero();
    }

    /** Each task has a message of its own with the same id, and replays it. */
    private static final class SameIds extends TestSpout {
        private final transient Queue<Integer> acked;
        private boolean emitted;

        private SameIds(Queue<Integer> acked) {
            super("v");
            this.acked = acked;
        }

        @Override
        public void nextTuple() {
            if (!emitted) {
                emitted = true;
                out.emit(new Values(1L), "the message");
            }
        }

        @Override
        public void ack(Object messageId) {
            acked.add(context.getThisTaskId());
        }

        @Override
        public void fail(Object messageId) {
            emitted = false;
        }
    }

    @Test
    void shouldForgetFailuresOnceAMessageIsAcked() {
        Feed feed = topology.feed(Feed.replaying(1));
        AtomicInteger tries = new AtomicInteger();
        topology.bolt("bolt", "spout", ackIf(tuple -> tries.incrementAndGet() > 3));
        TestEngine engine = topology.run(Map.of("updraft.max.replays", 3));
        engine.await("acked", () -> feed.ackCount() == 1);
        assertThat(engine.component("spout").deadLettered()).isZero();
    }

    @Test
    void shouldNotGiveUpByDefault() {
        Feed feed = topology.feed(Feed.replaying(1));
        AtomicInteger tries = new AtomicInteger();
        topology.bolt("bolt", "spout", ackIf(tuple -> tries.incrementAndGet() > 200));
        TestEngine engine = topology.run();
        engine.await("acked", () -> feed.ackCount() == 1);
        assertThat(feed.failCount()).isEqualTo(200);
    }

    @Test
    void shouldWriteLettersToAFileOneJsonObjectALine(@TempDir Path folder) throws IOException, ParseException {
        Path file = folder.resolve("letters.json");
        Values hostile = new Values(
                "quote \" backslash \\ newline \n tab \t bell \u0007 line \u2028 euro \u20ac",
                null,
                1,
                2.5,
                Double.NaN,
                Float.POSITIVE_INFINITY,
                true,
                "bytes".getBytes(StandardCharsets.UTF_8),
                Arrays.asList(1, null));
        Queue<Object> acked = new ConcurrentLinkedQueue<>();
        topology.setSpout("spout", Local.spout(() -> new TestSpout("v") {
            private int sent;

            @Override
            public void nextTuple() {
                if (sent++ < 2) {
                    out.emit(hostile, "id \"" + sent);
                }
            }

            @Override
            public void fail(Object messageId) {
                out.emit(hostile, messageId);
            }

            @Override
            public void ack(Object messageId) {
                acked.add(messageId);
            }
        }));
        topology.setBolt("bolt", TestBolt.of((tuple, out) -> out.fail(tuple))).shuffleGrouping("spout");
        Map<String, Object> conf = Map.of("updraft.max.replays", 1, "updraft.dead.letter.file", file.toString());
        try (TestEngine engine = TestEngine.run(topology, conf)) {
            engine.await("both given up", () -> acked.size() == 2);
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(2);
        for (String line : lines) {
            JSONObject letter = (JSONObject) new JSONParser(JSONParser.MODE_RFC4627).parse(line);
            assertThat(letter.get("component")).isEqualTo("spout");
            assertThat(letter.get("task")).isEqualTo(2);
            assertThat(letter.get("stream")).isEqualTo("default");
            assertThat((String) letter.get("messageId")).startsWith("id \"");
            assertThat(letter.get("failures")).isEqualTo(2);
            List<?> values = (List<?>) letter.get("values");
            assertThat(values).hasSize(9);
            assertThat(values.get(0)).isEqualTo(hostile.get(0));
            assertThat(values.get(1)).isNull();
            assertThat(values.get(2)).isEqualTo(1);
            assertThat(values.get(6)).isEqualTo(true);
            assertThat(values.get(7)).isEqualTo("bytes");
        }
    }
}
