package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.IMetricsContext;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.spout.IBatchSpout;
import org.apache.storm.trident.state.State;
import org.apache.storm.trident.state.StateFactory;
import org.apache.storm.trident.state.TransactionalValue;
import org.apache.storm.trident.state.map.IBackingMap;
import org.apache.storm.trident.state.map.TransactionalMap;
import org.apache.storm.trident.testing.Split;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Trident's word count; its mirror is storm-starter's {@code TridentWordCount}. State is in memory, and each batch is counted
 * exactly once.
 *
 * <pre>
 *   spout ──► split ──groupBy(word)──► count, in a transactional map
 *   ×spouts                            ×bolts
 * </pre>
 *
 * <p>A message is a sentence, which completes with its batch. The check compares the count of each word.
 */
final class TridentWordsTopology implements BenchTopology {

    /** Number of sentences per batch. */
    static final int BATCH = 5000;

    @Override
    public StormTopology build(Shape shape, String runId) {
        TridentTopology topology = new TridentTopology();
        topology.newStream("sentences", new SentenceBatches(runId))
                .parallelismHint(shape.spouts())
                .each(new Fields("sentence"), new Split(), new Fields("word"))
                .groupBy(new Fields("word"))
                .persistentAggregate(new CountsFactory(runId), new Count(), new Fields("count"))
                .parallelismHint(shape.bolts());
        return topology.build();
    }

    /** Batches begin 1 ms apart, and eight may be pending. Storm's defaults are 500 ms and one. */
    @Override
    public Map<String, Object> conf(Shape shape) {
        return Map.of(Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS, 1, Config.TOPOLOGY_MAX_SPOUT_PENDING, 8);
    }

    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(SPOUT, TaskCounter.ACKED);
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        long emitted = run.sum(SPOUT, TaskCounter.EMITTED);
        return new CountCheck()
                .equal("sentences emitted", emitted, "in finished batches", delivered(shape, run))
                .problems();
    }

    @Override
    public List<String> wrong(Shape shape, BenchRunState run) {
        return WordCountTopology.wrongCounts(shape, run);
    }

    /** Emits the sentences of {@link ZipfText} in batches. A batch that failed is emitted again with the same sentences. */
    private static final class SentenceBatches implements IBatchSpout {

        private static final long serialVersionUID = 1L;

        private final String runId;
        private transient BenchRunState run;
        private transient BenchTaskCounters probe;
        private transient ZipfText text;
        private transient Map<Long, Long> firstOfBatch;
        private transient long next;

        SentenceBatches(String runId) {
            this.runId = runId;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context) {
            run = BenchRunState.of(runId);
            probe = run.probe(SPOUT);
            text = new ZipfText(Shape.USUAL_ZIPF);
            firstOfBatch = new HashMap<>();
        }

        @Override
        public void emitBatch(long batch, TridentCollector collector) {
            Long first = firstOfBatch.get(batch);
            if (first == null && run.isQuiet()) {
                return;
            }
            if (first == null) {
                first = next;
                firstOfBatch.put(batch, first);
                next += BATCH;
                count(probe::emitted);
            }
            for (long sentence = first; sentence < first + BATCH; sentence++) {
                collector.emit(new Values(text.sentence(sentence)));
            }
        }

        @Override
        public void ack(long batch) {
            if (firstOfBatch.remove(batch) != null) {
                count(probe::acked);
            }
        }

        private static void count(Runnable one) {
            for (int i = 0; i < BATCH; i++) {
                one.run();
            }
        }

        @Override
        public void close() {}

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return null;
        }

        @Override
        public Fields getOutputFields() {
            return new Fields("sentence");
        }
    }

    /** Creates the partitions of the counts of one run. */
    private record CountsFactory(String runId) implements StateFactory {

        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings({"unchecked", "rawtypes"})
        public State makeState(Map<String, Object> conf, IMetricsContext metrics, int partition, int partitions) {
            CountsInMemory counts = new CountsInMemory();
            BenchRunState.of(runId).words(counts.words);
            return TransactionalMap.build((IBackingMap) counts);
        }
    }

    /** Keeps one partition of the counts, by word. Trident's own keys are views of tuples, which hash slowly. */
    private static final class CountsInMemory implements IBackingMap<TransactionalValue<Long>> {

        private final Map<Object, TransactionalValue<Long>> values = new HashMap<>();
        /** The same counts by word, for the check at the end. */
        private final Map<String, Integer> words = new HashMap<>();

        @Override
        public List<TransactionalValue<Long>> multiGet(List<List<Object>> keys) {
            List<TransactionalValue<Long>> found = new ArrayList<>(keys.size());
            keys.forEach(key -> found.add(values.get(key.get(0))));
            return found;
        }

        @Override
        public void multiPut(List<List<Object>> keys, List<TransactionalValue<Long>> all) {
            for (int i = 0; i < keys.size(); i++) {
                TransactionalValue<Long> value = all.get(i);
                String word = (String) keys.get(i).get(0);
                values.put(word, value);
                words.put(word, value.getVal().intValue());
            }
        }
    }
}
