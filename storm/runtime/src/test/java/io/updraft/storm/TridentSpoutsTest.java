package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.Stream;
import org.apache.storm.trident.TridentState;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.spout.IOpaquePartitionedTridentSpout;
import org.apache.storm.trident.spout.IPartitionedTridentSpout;
import org.apache.storm.trident.spout.ISpoutPartition;
import org.apache.storm.trident.state.OpaqueValue;
import org.apache.storm.trident.state.StateFactory;
import org.apache.storm.trident.state.TransactionalValue;
import org.apache.storm.trident.state.map.IBackingMap;
import org.apache.storm.trident.state.map.OpaqueMap;
import org.apache.storm.trident.state.map.TransactionalMap;
import org.apache.storm.trident.topology.TransactionAttempt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Trident's kinds of spouts, each with its kind of state. Batches fail before and after the state changes, and each element is
 * counted once.
 */
@SuppressWarnings("serial")
class TridentSpoutsTest {

    private static final int PENDING = 4;
    private static final int PARTITIONS = 3;

    /** Elements of each partition, in the end. */
    static final int END = 90;

    @AutoClose
    private static final UpdraftCluster CLUSTER =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();

    /** Counts by element, as the state keeps them. */
    private static final Map<List<Object>, Object> COUNTS = new ConcurrentHashMap<>();

    /** How far each attempt went, by transaction and partition. */
    private static final Map<String, Set<Integer>> ENDS = new ConcurrentHashMap<>();

    /** The first transaction from which on a partition has nothing more. */
    static final Map<String, Long> EXHAUSTED = new ConcurrentHashMap<>();

    /** The transaction for which a partition was asked last. */
    private static final Map<String, Long> ASKED = new ConcurrentHashMap<>();

    static final List<Long> SUCCEEDED = new CopyOnWriteArrayList<>();

    private String topologyName;

    @BeforeEach
    void forget() {
        COUNTS.clear();
        ENDS.clear();
        EXHAUSTED.clear();
        SUCCEEDED.clear();
        ASKED.clear();
    }

    /** Or it would go on telling of its partitions while the next test runs. */
    @AfterEach
    void kill() throws Exception {
        CLUSTER.killTopologyWithOpts(topologyName, RunningComponents.within(0));
    }

    @Test
    void shouldCountOnceThoughAnOpaqueSpoutFillsABatchThatFailedAnew() throws Exception {
        TridentTopology topology = new TridentTopology();
        Stream elements = topology.newStream("opaque", new OpaqueSpout()).parallelismHint(2);
        count("opaque", topology, elements, (conf, metrics, partition, partitions) -> OpaqueMap.build(new Opaque()));
        Await.until("all are counted", TridentSpoutsTest::isOver);

        assertThat(counts(value -> ((OpaqueValue<?>) value).getCurr())).isEqualTo(onceEach(PARTITIONS));
        assertThat(ENDS.values())
                .as("some batch had another content when it came again")
                .anyMatch(ends -> ends.size() > 1);
    }

    @Test
    void shouldCountOnceWhatATransactionalSpoutEmitsAgain() throws Exception {
        TridentTopology topology = new TridentTopology();
        Stream elements =
                topology.newStream("transactional", new TransactionalSpout()).parallelismHint(2);
        count(
                "transactional",
                topology,
                elements,
                (conf, metrics, partition, partitions) -> TransactionalMap.build(new Transactional()));
        Await.until("all are counted", TridentSpoutsTest::isOver);

        assertThat(counts(value -> ((TransactionalValue<?>) value).getVal())).isEqualTo(onceEach(PARTITIONS));
        assertThat(ENDS.values()).as("a batch has one content").allMatch(ends -> ends.size() == 1);
    }

    @Test
    void shouldCountOnceWhatACoordinatorDealsOut() throws Exception {
        TridentTopology topology = new TridentTopology();
        Stream elements =
                topology.newStream("coordinated", new CoordinatedSpout()).parallelismHint(2);
        count(
                "coordinated",
                topology,
                elements,
                (conf, metrics, partition, partitions) -> TransactionalMap.build(new Transactional()));
        Await.until("all are counted", () -> EXHAUSTED.containsKey("0") && SUCCEEDED.contains(EXHAUSTED.get("0")));

        assertThat(counts(value -> ((TransactionalValue<?>) value).getVal())).isEqualTo(onceEach(1));
        // It goes on hearing of empty ones.
        List<Long> succeeded = List.copyOf(SUCCEEDED);
        assertThat(succeeded)
                .as("the coordinator hears of each transaction, in order")
                .isEqualTo(LongStream.rangeClosed(1, succeeded.size()).boxed().toList());
    }

    /** Counts, failing now and then before the count and after it. */
    private void count(String name, TridentTopology topology, Stream elements, StateFactory states) throws Exception {
        TridentState counts = elements.each(new Fields("e"), new TridentTest.FailSometimes(name + " before", 11))
                .groupBy(new Fields("e"))
                .persistentAggregate(states, new Count(), new Fields("count"))
                .parallelismHint(2);
        counts.newValuesStream().each(new Fields("e"), new TridentTest.FailSometimes(name + " after", 13));
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS, 5);
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, PENDING);
        topologyName = name;
        CLUSTER.submitTopology(name, conf, topology.build());
        Await.until("batches have failed", () -> failures(name + " before") && failures(name + " after"));
    }

    private static boolean failures(String name) {
        return TridentTest.FailSometimes.FAILURES.containsKey(name)
                && TridentTest.FailSometimes.FAILURES.get(name).get() == 5;
    }

    /** Whether a transaction has begun that cannot have before all that had anything in them were over. */
    private static boolean isOver() {
        return EXHAUSTED.size() == PARTITIONS
                && EXHAUSTED.entrySet().stream()
                        .allMatch(first -> ASKED.get(first.getKey()) > first.getValue() + PENDING);
    }

    private interface Content {
        Object of(Object kept);
    }

    private static Map<Object, Object> counts(Content content) {
        return COUNTS.entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().get(0),
                        entry -> content.of(entry.getValue()),
                        (a, b) -> a,
                        TreeMap::new));
    }

    private static Map<Object, Object> onceEach(int partitions) {
        Map<Object, Object> expected = new TreeMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            for (int i = 0; i < END; i++) {
                expected.put(partition + ":" + i, 1L);
            }
        }
        return expected;
    }

    /** Emits a range of a partition. */
    private static void emit(TransactionAttempt tx, TridentCollector collector, String partition, int from, int to) {
        ASKED.put(partition, tx.getTransactionId());
        ENDS.computeIfAbsent(tx.getTransactionId() + " " + partition, each -> ConcurrentHashMap.newKeySet())
                .add(to);
        if (from == END) {
            EXHAUSTED.putIfAbsent(partition, tx.getTransactionId());
        } else {
            // It had come further, with batches that failed.
            EXHAUSTED.remove(partition);
        }
        IntStream.range(from, to).forEach(each -> collector.emit(new Values(partition + ":" + each)));
    }

    /** What a partition has by now: it grows. */
    private static int available(TransactionAttempt tx) {
        return (int) Math.min(END, tx.getTransactionId() * 8);
    }

    /** More partitions come with time. */
    private static int partitions(int calls) {
        return Math.min(PARTITIONS, 1 + calls / 4);
    }

    record Part(String getId) implements ISpoutPartition {}

    /** A state's values in this JVM. */
    private abstract static class Backing<T> implements IBackingMap<T> {
        @Override
        @SuppressWarnings("unchecked")
        public List<T> multiGet(List<List<Object>> keys) {
            List<T> values = new ArrayList<>();
            keys.forEach(key -> values.add((T) COUNTS.get(key)));
            return values;
        }

        @Override
        public void multiPut(List<List<Object>> keys, List<T> values) {
            for (int i = 0; i < keys.size(); i++) {
                COUNTS.put(List.copyOf(keys.get(i)), values.get(i));
            }
        }
    }

    @SuppressWarnings("rawtypes") // as OpaqueMap wants it
    private static final class Opaque extends Backing<OpaqueValue> {}

    @SuppressWarnings("rawtypes") // as TransactionalMap wants it
    private static final class Transactional extends Backing<TransactionalValue> {}

    /** A spout's part that does not depend on its kind. */
    abstract static class Elements {

        public final Map<String, Object> getComponentConfiguration() {
            return null;
        }

        public final Fields getOutputFields() {
            return new Fields("e");
        }
    }

    private static final class MorePartitions
            implements IOpaquePartitionedTridentSpout.Coordinator<Integer>,
                    IPartitionedTridentSpout.Coordinator<Integer> {
        private int calls;

        @Override
        public Integer getPartitionsForBatch() {
            return partitions(calls++);
        }

        @Override
        public boolean isReady(long txid) {
            return true;
        }

        @Override
        public void close() {}
    }

    /** An emitter's part that does not depend on its kind. */
    private abstract static class Parts {

        public final List<Part> getOrderedPartitions(Integer count) {
            return IntStream.range(0, count)
                    .mapToObj(each -> new Part(String.valueOf(each)))
                    .toList();
        }

        public final void refreshPartitions(List<Part> partitions) {}

        public final void close() {}
    }

    /** A batch that comes again goes further than before. */
    static final class OpaqueSpout extends Elements implements IOpaquePartitionedTridentSpout<Integer, Part, Integer> {
        @Override
        public Coordinator<Integer> getCoordinator(Map<String, Object> conf, TopologyContext context) {
            return new MorePartitions();
        }

        @Override
        public Emitter<Integer, Part, Integer> getEmitter(Map<String, Object> conf, TopologyContext context) {
            return new OpaqueEmitter();
        }
    }

    private static final class OpaqueEmitter extends Parts
            implements IOpaquePartitionedTridentSpout.Emitter<Integer, Part, Integer> {
        @Override
        public Map<Part, Integer> emitBatchNew(
                TransactionAttempt tx, TridentCollector collector, Set<Part> partitions, Map<Part, Integer> last) {
            Map<Part, Integer> ends = new HashMap<>();
            for (Part partition : partitions) {
                // From ZooKeeper it comes as a number of some kind.
                Number before = last.get(partition);
                int from = before == null ? 0 : before.intValue();
                int to = Math.max(from, Math.min(available(tx), from + 5 + 2 * tx.getAttemptId()));
                emit(tx, collector, partition.getId(), from, to);
                ends.put(partition, to);
            }
            return ends;
        }
    }

    /** What a batch has in it is its metadata. */
    static final class TransactionalSpout extends Elements implements IPartitionedTridentSpout<Integer, Part, String> {
        @Override
        public Coordinator<Integer> getCoordinator(Map<String, Object> conf, TopologyContext context) {
            return new MorePartitions();
        }

        @Override
        public Emitter<Integer, Part, String> getEmitter(Map<String, Object> conf, TopologyContext context) {
            return new TransactionalEmitter();
        }
    }

    private static final class TransactionalEmitter extends Parts
            implements IPartitionedTridentSpout.Emitter<Integer, Part, String> {
        @Override
        public Map<Part, String> emitBatchNew(
                TransactionAttempt tx, TridentCollector collector, Set<Part> partitions, Map<Part, String> last) {
            Map<Part, String> ranges = new HashMap<>();
            for (Part partition : partitions) {
                String before = last.get(partition);
                int from = before == null ? 0 : Integer.parseInt(before.split("-")[1]);
                int to = Math.max(from, Math.min(available(tx), from + 5));
                ranges.put(partition, from + "-" + to);
                reEmitPartitionBatch(tx, collector, partition, ranges.get(partition));
            }
            return ranges;
        }

        @Override
        public void reEmitPartitionBatch(
                TransactionAttempt tx, TridentCollector collector, Part partition, String range) {
            String[] fromTo = range.split("-");
            emit(tx, collector, partition.getId(), Integer.parseInt(fromTo[0]), Integer.parseInt(fromTo[1]));
        }
    }
}
