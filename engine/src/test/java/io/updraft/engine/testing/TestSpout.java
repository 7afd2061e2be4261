package io.updraft.engine.testing;

import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;

/** A spout to begin with: emits nothing, and declares the fields that it is given. Its children have what every spout has. */
@SuppressWarnings("serial")
public class TestSpout extends BaseRichSpout {
    /** Set by open. */
    protected transient SpoutOutputCollector out;

    /** Set by open. */
    protected transient TopologyContext context;

    private final String[] fields;

    /** Declares fields of the default stream; without any, no stream. */
    protected TestSpout(String... fields) {
        this.fields = fields;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext topologyContext, SpoutOutputCollector collector) {
        out = collector;
        context = topologyContext;
        opened();
    }

    /** The end of open. */
    protected void opened() {}

    @Override
    public void nextTuple() {}

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        if (fields.length > 0) {
            declarer.declare(new Fields(fields));
        }
    }
}
