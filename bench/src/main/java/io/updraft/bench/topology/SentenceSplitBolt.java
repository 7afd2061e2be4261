package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Splits sentences at white space, with the same regular expression as storm-perf's {@code SplitSentenceBolt}. */
final class SentenceSplitBolt extends BaseBasicBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private transient BenchTaskCounters probe;

    SentenceSplitBolt(String runId) {
        this.runId = runId;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context) {
        probe = BenchRunState.of(runId).probe(context);
    }

    @Override
    public void execute(Tuple tuple, BasicOutputCollector collector) {
        for (String word : tuple.getString(0).split("\\s+")) {
            collector.emit(new Values(word));
        }
        probe.received(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("word"));
    }
}
