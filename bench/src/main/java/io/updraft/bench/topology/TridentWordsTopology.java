package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.TaskCounter;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.testing.Split;
import org.apache.storm.tuple.Fields;

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
public final class TridentWordsTopology implements BenchTopology {

    /** Used by reflection. */
    public TridentWordsTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        TridentTopology topology = new TridentTopology();
        topology.newStream("sentences", new SentenceBatches(runId))
                .parallelismHint(shape.spouts())
                .each(new Fields("sentence"), new Split(), new Fields("word"))
                .groupBy(new Fields("word"))
                .persistentAggregate(new CountsInMemory.Factory(runId), new Count(), new Fields("count"))
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
        return new CountCheck()
                .equal(
                        "sentences emitted",
                        run.sum(SPOUT, TaskCounter.EMITTED),
                        "in finished batches",
                        delivered(shape, run))
                .problems();
    }

    @Override
    public List<String> wrong(Shape shape, BenchRunState run) {
        return WordCountTopology.wrongCounts(shape, run);
    }
}
