package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.spout.IBatchSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Emits the sentences of {@link ZipfText} in batches. A batch that failed is emitted again with the same sentences. */
final class SentenceBatches implements IBatchSpout {

    /** Number of sentences per batch. */
    static final int BATCH = 5000;

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
        probe = run.probe(BenchTopology.SPOUT);
        text = new ZipfText();
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
