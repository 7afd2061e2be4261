package io.updraft.cluster.soak;

import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Emits two tuples for each, so that a tree is complete only when both, in any worker, were acked. */
final class SoakSplitBolt extends BaseRichBolt {
    static final int PARTS = 2;

    private static final long serialVersionUID = 1L;

    private transient OutputCollector collector;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
        collector = boltCollector;
    }

    @Override
    public void execute(Tuple tuple) {
        for (int part = 0; part < PARTS; part++) {
            collector.emit(tuple, new Values(tuple.getValue(0), tuple.getValue(1), part, tuple.getValue(2)));
        }
        collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("source", "number", "part", "text"));
    }
}
