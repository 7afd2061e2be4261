package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Counts words and emits each new count on a stream without consumers, as storm-perf's {@code CountBolt} does. */
final class BenchCountBolt extends BaseBasicBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private transient Map<String, Integer> counts;
    private transient BenchTaskCounters probe;

    BenchCountBolt(String runId) {
        this.runId = runId;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context) {
        counts = new HashMap<>();
        BenchRunState run = BenchRunState.of(runId);
        run.words(counts);
        probe = run.probe(context);
    }

    @Override
    public void execute(Tuple tuple, BasicOutputCollector collector) {
        String word = tuple.getString(0);
        Integer count = counts.merge(word, 1, Integer::sum);
        collector.emit(new Values(word, count));
        probe.received(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("word", "count"));
    }
}
