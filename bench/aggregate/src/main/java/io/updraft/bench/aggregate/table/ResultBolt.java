package io.updraft.bench.aggregate.table;

import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/** Sums the results, whose last fields are the measures and the count. */
final class ResultBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1;

    private final int measures;
    private transient OutputCollector collector;

    ResultBolt(int measures) {
        this.measures = measures;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
    }

    @Override
    public void execute(Tuple tuple) {
        List<Object> values = tuple.getValues();
        int first = values.size() - measures - 1;
        for (int m = 0; m < measures; m++) {
            TableState.sums.addAndGet(m, (Long) values.get(first + m));
        }
        TableState.GROUPS.incrementAndGet();
        TableState.COUNTED.addAndGet((Long) values.get(first + measures));
        collector.ack(tuple);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
}
