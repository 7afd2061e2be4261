package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Forwards each tuple, anchored when messages are tracked. */
final class ForwardBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1L;

    private final String runId;
    private final boolean anchored;
    private transient OutputCollector collector;
    private transient BenchTaskCounters probe;

    ForwardBolt(String runId, boolean anchored) {
        this.runId = runId;
        this.anchored = anchored;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        probe = BenchRunState.of(runId).probe(context);
    }

    @Override
    public void execute(Tuple tuple) {
        Values values = new Values(tuple.getValue(0));
        if (anchored) {
            collector.emit(tuple, values);
        } else {
            collector.emit(values);
        }
        collector.ack(tuple);
        probe.received(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("message"));
    }
}
