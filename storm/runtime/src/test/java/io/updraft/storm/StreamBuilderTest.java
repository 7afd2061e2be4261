package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.streams.Pair;
import org.apache.storm.streams.PairStream;
import org.apache.storm.streams.Stream;
import org.apache.storm.streams.StreamBuilder;
import org.apache.storm.streams.StreamState;
import org.apache.storm.streams.operations.CombinerAggregator;
import org.apache.storm.streams.operations.mappers.PairValueMapper;
import org.apache.storm.streams.operations.mappers.ValueMapper;
import org.apache.storm.streams.windowing.TumblingWindows;
import org.apache.storm.topology.base.BaseWindowedBolt.Count;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("serial")
class StreamBuilderTest {
    private static final Map<String, List<Object>> SEEN = new ConcurrentHashMap<>();

    @AutoClose
    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();

    private final StreamBuilder builder = new StreamBuilder();
    private final MessageSource.Feed left = MessageSource.begin("left");
    private final MessageSource.Feed right = MessageSource.begin("right");

    @BeforeEach
    void reset() {
        SEEN.clear();
    }

    @Test
    void shouldMapFilterAndFlatten() throws Exception {
        List.of("a b", "c", "d e f").forEach(line -> left.put(line, 0));
        builder.newStream(new MessageSource("left", "line", "n"), new ValueMapper<String>(0))
                .flatMap(line -> List.of(line.split(" ")))
                .filter(word -> !word.equals("e"))
                .map(String::toUpperCase)
                .forEach(word -> see("words", word));
        submit();

        Await.until("all are acked", left::isDone);

        assertThat(seen("words")).containsExactlyInAnyOrder("A", "B", "C", "D", "F");
    }

    @Test
    void shouldSplitAStreamIntoBranches() throws Exception {
        IntStream.rangeClosed(1, 9).forEach(n -> left.put("x", n));
        @SuppressWarnings("unchecked")
        Stream<Integer>[] branches = numbers("left").branch(n -> n < 4, n -> n > 6);
        branches[0].forEach(n -> see("small", n));
        branches[1].forEach(n -> see("large", n));
        branches[0].map(n -> n * 10).forEach(n -> see("tenfold", n));
        submit();

        Await.until("all are acked", left::isDone);

        assertThat(seen("small")).containsExactly(1, 2, 3);
        assertThat(seen("large")).containsExactly(7, 8, 9);
        assertThat(seen("tenfold")).containsExactly(10, 20, 30);
    }

    @Test
    void shouldReduceAndAggregateWindowsByKey() throws Exception {
        for (int n = 1; n <= 12; n++) {
            left.put(n % 2 == 0 ? "even" : "odd", n);
        }
        PairStream<String, Integer> pairs = pairs("left");
        pairs.window(TumblingWindows.of(Count.of(6)))
                .reduceByKey(Integer::sum)
                .forEach(pair -> see("sums", pair.toString()));
        pairs.window(TumblingWindows.of(Count.of(4))).countByKey().forEach(pair -> see("counts", pair.toString()));
        numbers("right")
                .window(TumblingWindows.of(Count.of(5)))
                .aggregate(new Max())
                .forEach(max -> see("max", max));
        IntStream.rangeClosed(1, 10).forEach(n -> right.put("x", n));
        submit();

        Await.until(
                "all windows",
                () -> seen("sums").size() == 4
                        && seen("counts").size() == 6
                        && seen("max").size() == 2);

        assertThat(seen("sums"))
                .containsExactlyInAnyOrder(
                        new Text("odd", 9).toString(),
                        new Text("even", 12).toString(),
                        new Text("odd", 27).toString(),
                        new Text("even", 30).toString());
        assertThat(seen("counts"))
                .containsExactlyInAnyOrder(
                        new Text("odd", 2).toString(),
                        new Text("even", 2).toString(),
                        new Text("odd", 2).toString(),
                        new Text("even", 2).toString(),
                        new Text("odd", 2).toString(),
                        new Text("even", 2).toString());
        assertThat(seen("max")).containsExactly(5, 10);
    }

    @Test
    void shouldJoinWindowsByKey() throws Exception {
        left.put("a", 1).put("b", 2).put("c", 3);
        right.put("b", 20).put("c", 30).put("d", 40);
        PairStream<String, Integer> windowed = pairs("left").window(TumblingWindows.of(Count.of(6)));
        windowed.join(pairs("right")).forEach(pair -> see("inner", pair.toString()));
        submit();

        Await.until("joined", () -> seen("inner").size() == 2);

        assertThat(seen("inner"))
                .containsExactlyInAnyOrder(
                        Pair.of("b", Pair.of(2, 20)).toString(),
                        Pair.of("c", Pair.of(3, 30)).toString());
    }

    @Test
    void shouldGroupTwoStreamsByKey() throws Exception {
        left.put("a", 1).put("a", 2).put("b", 3);
        right.put("a", 10).put("c", 30);
        pairs("left")
                .window(TumblingWindows.of(Count.of(5)))
                .coGroupByKey(pairs("right"))
                .forEach(pair -> see("groups", pair.toString()));
        submit();

        Await.until("grouped", () -> seen("groups").size() == 3);

        assertThat(seen("groups"))
                .containsExactlyInAnyOrder(
                        Pair.of("a", Pair.of(List.of(1, 2), List.of(10))).toString(),
                        Pair.of("b", Pair.of(List.of(3), List.of())).toString(),
                        Pair.of("c", Pair.of(List.of(), List.of(30))).toString());
    }

    @Test
    void shouldKeepAStateByKeyAndAnswerQueriesOfIt() throws Exception {
        for (int n = 1; n <= 10; n++) {
            left.put(n % 2 == 0 ? "even" : "odd", n);
        }
        StreamState<String, Integer> sums = pairs("left").updateStateByKey(0, Integer::sum);
        sums.toPairStream().forEach(pair -> see("updates", pair.toString()));
        builder.newStream(new MessageSource("right", "key", "n"), new ValueMapper<String>(0))
                .stateQuery(sums)
                .forEach(pair -> see("answers", pair.toString()));
        submit();
        Await.until("all are acked", left::isDone);

        right.put("odd", 0).put("even", 0);
        Await.until("answers", () -> seen("answers").size() == 2);

        assertThat(seen("updates")).hasSize(10).contains(Pair.of("odd", 25).toString());
        assertThat(seen("answers"))
                .containsExactlyInAnyOrder(
                        Pair.of("odd", 25).toString(), Pair.of("even", 30).toString());
    }

    private void submit() throws Exception {
        Map<String, Object> conf = new TreeMap<>();
        conf.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 100);
        cluster.submitTopology("streams", conf, builder.build());
    }

    private Stream<Integer> numbers(String source) {
        return builder.newStream(new MessageSource(source, "key", "n"), new ValueMapper<>(1));
    }

    private PairStream<String, Integer> pairs(String source) {
        return builder.newStream(new MessageSource(source, "key", "n"), new PairValueMapper<String, Integer>(0, 1));
    }

    private static void see(String name, Object value) {
        SEEN.computeIfAbsent(name, each -> new CopyOnWriteArrayList<>()).add(value);
    }

    private static List<Object> seen(String name) {
        return SEEN.getOrDefault(name, List.of());
    }

    /** How a pair reads. */
    private record Text(String key, Object value) {
        @Override
        public String toString() {
            return Pair.of(key, value).toString();
        }
    }

    static final class Max implements CombinerAggregator<Integer, Integer, Integer> {
        @Override
        public Integer init() {
            return Integer.MIN_VALUE;
        }

        @Override
        public Integer apply(Integer max, Integer value) {
            return Math.max(max, value);
        }

        @Override
        public Integer merge(Integer one, Integer other) {
            return Math.max(one, other);
        }

        @Override
        public Integer result(Integer max) {
            return max;
        }
    }
}
