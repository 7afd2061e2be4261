package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.topology.FailedException;
import org.apache.storm.trident.Stream;
import org.apache.storm.trident.TridentState;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.BaseAggregator;
import org.apache.storm.trident.operation.BaseFilter;
import org.apache.storm.trident.operation.Consumer;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.operation.builtin.FilterNull;
import org.apache.storm.trident.operation.builtin.MapGet;
import org.apache.storm.trident.operation.builtin.Sum;
import org.apache.storm.trident.testing.FixedBatchSpout;
import org.apache.storm.trident.testing.MemoryMapState;
import org.apache.storm.trident.testing.Split;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.trident.windowing.InMemoryWindowsStoreFactory;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("serial")
class TridentTest {

    private static final List<String> WORDS = List.of("a", "b", "c", "d", "e");
    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();
    private final UpdraftDrpc drpc = new UpdraftDrpc();

    @AfterEach
    void close() {
        cluster.close();
        drpc.close();
    }

    @Test
    void shouldCountWordsAndAnswerQueriesOfTheCounts() throws Exception {
        FixedBatchSpout sentences = batches(
                "sentence",
                3,
                List.of(
                        new Values("the cow jumped over the moon"),
                        new Values("the man went to the store and bought some candy"),
                        new Values("four score and seven years ago"),
                        new Values("how many apples can you eat"),
                        new Values("to be or not to be the person")));
        TridentTopology topology = new TridentTopology();
        TridentState counts = topology.newStream("sentences", sentences)
                .parallelismHint(2)
                .each(new Fields("sentence"), new Split(), new Fields("word"))
                .groupBy(new Fields("word"))
                .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"))
                .parallelismHint(3);
        topology.newDRPCStream("words", drpc)
                .each(new Fields("args"), new Split(), new Fields("word"))
                .groupBy(new Fields("word"))
                .stateQuery(counts, new Fields("word"), new MapGet(), new Fields("count"))
                .each(new Fields("count"), new FilterNull())
                .aggregate(new Fields("count"), new Sum(), new Fields("sum"));
        cluster.submitTopology("words", conf(), topology.build());

        Await.until("all are counted", () -> drpc.execute("words", "person").equals("[[1]]"));

        assertThat(drpc.execute("words", "cat the dog jumped")).isEqualTo("[[6]]");
        assertThat(drpc.execute("words", "to be")).isEqualTo("[[5]]");
        assertThat(drpc.execute("words", "nothing")).isEqualTo("[[0]]");
    }

    @Test
    void shouldCountEachWordExactlyOnceWhereverABatchFails() throws Exception {
        TridentTopology topology = new TridentTopology();
        TridentState counts = topology.newStream("exact", words(60))
                .parallelismHint(2)
                .each(new Fields("word"), new FailSometimes("before", 7))
                .groupBy(new Fields("word"))
                .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"))
                .parallelismHint(2);
        // What fails here fails the batch when the counts have been changed already.
        counts.newValuesStream().each(new Fields("word"), new FailSometimes("after", 11));
        topology.newDRPCStream("exact", drpc)
                .groupBy(new Fields("args"))
                .stateQuery(counts, new Fields("args"), new MapGet(), new Fields("count"))
                .project(new Fields("count"));
        cluster.submitTopology("exact", conf(), topology.build());

        Await.until("the end is counted", () -> drpc.execute("exact", "end").equals("[[1]]"));

        for (String word : WORDS) {
            assertThat(drpc.execute("exact", word)).as(word).isEqualTo("[[60]]");
        }
        assertThat(FailSometimes.FAILURES.get("before").get()).isGreaterThan(2);
        assertThat(FailSometimes.FAILURES.get("after").get()).isGreaterThan(2);
    }

    @Test
    void shouldCountExactlyOnceWhenABoltIsRebuiltInTheMiddleOfABatch() throws Exception {
        TridentTopology topology = new TridentTopology();
        TridentState counts = topology.newStream("rebuilt", words(40))
                .shuffle()
                .each(new Fields("word"), new ThrowSometimes(97))
                .groupBy(new Fields("word"))
                .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"));
        topology.newDRPCStream("rebuilt", drpc)
                .stateQuery(counts, new Fields("args"), new MapGet(), new Fields("count"))
                .project(new Fields("count"));
        Map<String, Object> conf = conf();
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 1);
        cluster.submitTopology("rebuilt", conf, topology.build());

        Await.until("the end is counted", () -> drpc.execute("rebuilt", "end").equals("[[1]]"));

        for (String word : WORDS) {
            assertThat(drpc.execute("rebuilt", word)).as(word).isEqualTo("[[40]]");
        }
        assertThat(ThrowSometimes.THROWN).hasPositiveValue();
    }

    @Test
    void shouldPersistEachBatchOfAPartitionOnceAndGoOnAfterARestart() throws Exception {
        cluster.submitTopology(
                "partitions", conf(), PartitionedNumbers.topology().build());
        Await.until("all numbers are persisted", () -> PartitionedNumbers.Persisted.sum() == 2 * 4950);
        cluster.killTopologyWithOpts("partitions", RunningComponents.within(0));

        PartitionedNumbers.NumbersSpout.end = 150;
        cluster.submitTopology(
                "partitions", conf(), PartitionedNumbers.topology().build());
        Await.until("the new ones are persisted", () -> PartitionedNumbers.Persisted.NUMBERS.size() >= 300);

        // Where it was is in ZooKeeper: nothing is read a second time.
        List<Integer> expected = new ArrayList<>();
        IntStream.range(0, 150).forEach(number -> expected.addAll(List.of(number, number)));
        assertThat(PartitionedNumbers.Persisted.NUMBERS).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void shouldAggregateOverSlidingAndTumblingWindows() throws Exception {
        TridentTopology topology = new TridentTopology();
        Stream numbers = topology.newStream("numbers", integers(1, 12));
        numbers.slidingWindow(4, 2, new InMemoryWindowsStoreFactory(), new Fields("n"), new ListOf(), new Fields("w"))
                .peek(new Peek("sliding"));
        numbers.tumblingWindow(3, new InMemoryWindowsStoreFactory(), new Fields("n"), new ListOf(), new Fields("w"))
                .peek(new Peek("tumbling"));
        cluster.submitTopology("windows", conf(), topology.build());

        Await.until(
                "all windows",
                () -> Peek.of("sliding").size() >= 6 && Peek.of("tumbling").size() >= 4);

        assertThat(Peek.of("tumbling"))
                .containsExactly(List.of("1 2 3"), List.of("4 5 6"), List.of("7 8 9"), List.of("10 11 12"));
        assertThat(Peek.of("sliding"))
                .containsExactly(
                        List.of("1 2"),
                        List.of("1 2 3 4"),
                        List.of("3 4 5 6"),
                        List.of("5 6 7 8"),
                        List.of("7 8 9 10"),
                        List.of("9 10 11 12"));
    }

    @Test
    void shouldJoinAndMergeStreams() throws Exception {
        TridentTopology topology = new TridentTopology();
        Stream names = topology.newStream(
                "names", batches(new Fields("id", "name"), 10, List.of(new Values(1, "one"), new Values(2, "two"))));
        Stream sizes = topology.newStream(
                "sizes",
                batches(
                        new Fields("key", "size"),
                        10,
                        List.of(new Values(1, 10), new Values(2, 20), new Values(3, 30))));
        topology.join(names, new Fields("id"), sizes, new Fields("key"), new Fields("id", "name", "size"))
                .peek(new Peek("joined"));
        topology.merge(new Fields("id"), names.project(new Fields("id")), sizes.project(new Fields("key")))
                .peek(new Peek("merged"));
        cluster.submitTopology("joins", conf(), topology.build());

        Await.until(
                "both", () -> Peek.of("joined").size() >= 2 && Peek.of("merged").size() >= 5);

        assertThat(Peek.of("joined")).containsExactlyInAnyOrder(List.of(1, "one", 10), List.of(2, "two", 20));
        assertThat(Peek.of("merged"))
                .containsExactlyInAnyOrder(List.of(1), List.of(2), List.of(1), List.of(2), List.of(3));
    }

    private static Map<String, Object> conf() {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS, 5);
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 5);
        return conf;
    }

    /** Each of {@link #WORDS} so many times, and in the end one more word. */
    private static FixedBatchSpout words(int each) {
        List<List<Object>> all = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            WORDS.forEach(word -> all.add(new Values(word)));
        }
        all.add(new Values("end"));
        return batches("word", 16, all);
    }

    private static FixedBatchSpout integers(int from, int to) {
        return batches(
                "n",
                4,
                IntStream.rangeClosed(from, to)
                        .<List<Object>>mapToObj(Values::new)
                        .toList());
    }

    private static FixedBatchSpout batches(String field, int size, List<List<Object>> all) {
        return batches(new Fields(field), size, all);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static FixedBatchSpout batches(Fields fields, int size, List<List<Object>> all) {
        return new FixedBatchSpout(fields, size, all.toArray(new List[0]));
    }

    /** Fails every so-manieth batch attempt in which it sees a word, the first time that it sees it. */
    static final class FailSometimes extends BaseFilter {
        static final Map<String, AtomicInteger> FAILURES = new ConcurrentHashMap<>();
        private static final Map<String, AtomicInteger> SEEN = new ConcurrentHashMap<>();
        private final String name;
        private final int every;

        FailSometimes(String name, int every) {
            this.name = name;
            this.every = every;
        }

        @Override
        public boolean isKeep(TridentTuple tuple) {
            int seen = SEEN.computeIfAbsent(name, each -> new AtomicInteger()).incrementAndGet();
            AtomicInteger failures = FAILURES.computeIfAbsent(name, each -> new AtomicInteger());
            if (seen % every == 0 && failures.get() < 5) {
                failures.incrementAndGet();
                throw new FailedException("as the test wants it");
            }
            return true;
        }
    }

    /** Throws what is no failure of a batch, so that the executor is rebuilt. */
    static final class ThrowSometimes extends BaseFilter {
        static final AtomicInteger THROWN = new AtomicInteger();
        private static final AtomicInteger SEEN = new AtomicInteger();
        private final int every;

        ThrowSometimes(int every) {
            this.every = every;
        }

        @Override
        public boolean isKeep(TridentTuple tuple) {
            if (SEEN.incrementAndGet() % every == 0 && THROWN.get() < 2) {
                THROWN.incrementAndGet();
                throw new IllegalStateException("as the test wants it");
            }
            return true;
        }
    }

    /** The values of a window in one text. */
    static final class ListOf extends BaseAggregator<List<Object>> {
        @Override
        public List<Object> init(Object batchId, TridentCollector collector) {
            return new ArrayList<>();
        }

        @Override
        public void aggregate(List<Object> all, TridentTuple tuple, TridentCollector collector) {
            all.add(tuple.getValue(0));
        }

        @Override
        public void complete(List<Object> all, TridentCollector collector) {
            collector.emit(new Values(all.stream().map(String::valueOf).collect(Collectors.joining(" "))));
        }
    }

    /** Shows what passes. */
    record Peek(String name) implements Consumer {
        private static final Map<String, List<List<Object>>> SEEN = new ConcurrentHashMap<>();

        static List<List<Object>> of(String name) {
            return SEEN.computeIfAbsent(name, each -> new CopyOnWriteArrayList<>());
        }

        @Override
        public void accept(TridentTuple input) {
            of(name).add(List.copyOf(input.getValues()));
        }
    }
}
