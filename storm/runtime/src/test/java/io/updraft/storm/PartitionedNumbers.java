package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.storm.task.IMetricsContext;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.spout.IPartitionedTridentSpout;
import org.apache.storm.trident.spout.ISpoutPartition;
import org.apache.storm.trident.state.BaseStateUpdater;
import org.apache.storm.trident.state.State;
import org.apache.storm.trident.state.StateFactory;
import org.apache.storm.trident.topology.TransactionAttempt;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** A topology that persists the numbers of a partitioned spout, each once. One test at a time. */
@SuppressWarnings("serial")
final class PartitionedNumbers {
    private PartitionedNumbers() {}

    static TridentTopology topology() {
        TridentTopology topology = new TridentTopology();
        topology.newStream("partitioned", new NumbersSpout())
                .parallelismHint(2)
                .partitionPersist(new Persisted.Factory(), new Fields("n"), new Append());
        return topology;
    }

    /** A state that keeps numbers, of each transaction once. */
    static final class Persisted implements State {
        static final List<Integer> NUMBERS = new CopyOnWriteArrayList<>();
        private static final Map<Integer, Long> COMMITTED = new ConcurrentHashMap<>();
        private final int partition;
        private Long txid;

        Persisted(int partition) {
            this.partition = partition;
        }

        /** A batch that comes a second time has the transaction of the first, as Trident promises. */
        void add(List<TridentTuple> tuples) {
            if (txid > COMMITTED.getOrDefault(partition, 0L)) {
                tuples.forEach(tuple -> NUMBERS.add(tuple.getInteger(0)));
                COMMITTED.put(partition, txid);
            }
        }

        static final class Factory implements StateFactory {
            @Override
            public State makeState(Map<String, Object> conf, IMetricsContext metrics, int partition, int partitions) {
                return new Persisted(partition);
            }
        }

        static int sum() {
            return NUMBERS.stream().mapToInt(Integer::intValue).sum();
        }

        @Override
        public void beginCommit(Long id) {
            txid = id;
        }

        @Override
        public void commit(Long id) {
            assertThat(id).isEqualTo(txid);
        }
    }

    static final class Append extends BaseStateUpdater<Persisted> {
        @Override
        public void updateState(Persisted state, List<TridentTuple> tuples, TridentCollector collector) {
            state.add(tuples);
        }
    }

    /** Two partitions of the numbers up to an end, ten a batch; where a batch begins is its metadata. */
    static final class NumbersSpout implements IPartitionedTridentSpout<Integer, NumbersSpout.Part, String> {
        static volatile int end = 100;

        record Part(String getId) implements ISpoutPartition {}

        @Override
        public Coordinator<Integer> getCoordinator(Map<String, Object> conf, TopologyContext context) {
            return new Coordinator<>() {
                @Override
                public Integer getPartitionsForBatch() {
                    return 2;
                }

                @Override
                public boolean isReady(long txid) {
                    return true;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Emitter<Integer, Part, String> getEmitter(Map<String, Object> conf, TopologyContext context) {
            return new NumbersEmitter();
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return null;
        }

        @Override
        public Fields getOutputFields() {
            return new Fields("n");
        }
    }

    private static final class NumbersEmitter
            implements IPartitionedTridentSpout.Emitter<Integer, NumbersSpout.Part, String> {
        @Override
        public List<NumbersSpout.Part> getOrderedPartitions(Integer count) {
            return IntStream.range(0, count)
                    .mapToObj(each -> new NumbersSpout.Part("p" + each))
                    .toList();
        }

        @Override
        public Map<NumbersSpout.Part, String> emitBatchNew(
                TransactionAttempt tx,
                TridentCollector collector,
                Set<NumbersSpout.Part> partitions,
                Map<NumbersSpout.Part, String> last) {
            Map<NumbersSpout.Part, String> metas = new HashMap<>();
            for (NumbersSpout.Part partition : partitions) {
                String before = last.get(partition);
                int from = before == null ? 0 : Integer.parseInt(before.split(":")[1]);
                metas.put(partition, from + ":" + Math.min(from + 10, NumbersSpout.end));
                reEmitPartitionBatch(tx, collector, partition, metas.get(partition));
            }
            return metas;
        }

        @Override
        public void reEmitPartitionBatch(
                TransactionAttempt tx, TridentCollector collector, NumbersSpout.Part partition, String fromTo) {
            String[] range = fromTo.split(":");
            IntStream.range(Integer.parseInt(range[0]), Integer.parseInt(range[1]))
                    .forEach(number -> collector.emit(new Values(number)));
        }

        @Override
        public void refreshPartitions(List<NumbersSpout.Part> partitions) {}

        @Override
        public void close() {}
    }
}
