package io.updraft.stormcluster;

import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;

/** Acks each tuple, as every basic bolt does. */
final class AckingBolt extends BaseBasicBolt {

    private static final long serialVersionUID = 1L;

    @Override
    public void execute(Tuple input, BasicOutputCollector collector) {
        if (input.getInteger(0) < 0) {
            throw new IllegalArgumentException("there are no negative numbers here: " + input);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // It emits nothing.
    }
}
