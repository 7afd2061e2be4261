package io.updraft.cluster.coordinator;

import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** A spout whose only tuple has a value that Kryo cannot write. */
final class UnserializableSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    private transient SpoutOutputCollector collector;
    private transient boolean emitted;

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
        collector = spoutCollector;
    }

    @Override
    public void nextTuple() {
        if (!emitted) {
            emitted = true;
            collector.emit(new Values(1, new Thread(() -> {})), 1);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number", "text"));
    }
}
