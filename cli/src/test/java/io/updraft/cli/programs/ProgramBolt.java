package io.updraft.cli.programs;

import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;

/** A bolt of a test's program. The program's jar holds only what lies beside it. */
abstract class ProgramBolt extends BaseRichBolt {
    private static final long serialVersionUID = 1L;

    /** Set by prepare. */
    transient OutputCollector out;

    private final String[] fields;

    /** Declares fields of the default stream; without any, no stream. */
    ProgramBolt(String... fields) {
        this.fields = fields;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        out = collector;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        if (fields.length > 0) {
            declarer.declare(new Fields(fields));
        }
    }
}
