package io.updraft.cli.programs;

import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;

/** A spout of a test's program. The program's jar holds only what lies beside it. */
abstract class ProgramSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1L;

    /** Set by open. */
    transient SpoutOutputCollector out;

    private final String[] fields;

    /** Declares fields of the default stream; without any, no stream. */
    ProgramSpout(String... fields) {
        this.fields = fields;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        out = collector;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        if (fields.length > 0) {
            declarer.declare(new Fields(fields));
        }
    }
}
