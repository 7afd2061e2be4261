package org.apache.storm;

import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/** A bolt that acks each tuple when the next one arrives. */
final class LaterAckBolt extends BaseRichBolt {
    private transient OutputCollector collector;
    private transient Tuple first;

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
        collector = out;
    }

    @Override
    public void execute(Tuple input) {
        if (first == null) {
            first = input;
            return;
        }
        collector.ack(first);
        collector.ack(input);
        first = null;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
}
