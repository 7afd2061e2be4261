package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/** Acks what it receives. */
final class SinkBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private transient OutputCollector collector;
    private transient BenchTaskCounters probe;

    SinkBolt(String runId) {
        this.runId = runId;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        probe = BenchRunState.of(runId).probe(context);
    }

    @Override
    public void execute(Tuple tuple) {
        collector.ack(tuple);
        probe.received(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
}
