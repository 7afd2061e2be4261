package io.updraft.bench.aggregate.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;

/** The aggregation as Storm's users write it: a hash map from the dimensions to sums, emitted when a window ends. */
final class HashMapBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1;

    private final int dimensions;
    private final int measures;
    private final long windowMillis = TableRecords.WINDOW.toMillis();
    private transient Map<List<Object>, long[]> groups;
    private transient OutputCollector collector;
    private transient long window;
    private transient boolean idle;

    HashMapBolt(int dimensions, int measures) {
        this.dimensions = dimensions;
        this.measures = measures;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        this.groups = new HashMap<>();
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
    }

    @Override
    public void execute(Tuple tuple) {
        if (TupleUtils.isTick(tuple)) {
            if (idle) {
                close();
            }
            idle = true;
        } else {
            idle = false;
            add(tuple.getValues());
        }
        collector.ack(tuple);
    }

    private void add(List<Object> record) {
        long now = (Long) record.get(dimensions + measures) / windowMillis;
        if (now != window) {
            close();
            window = now;
        }
        // Copies the key, so that it does not keep the whole record in memory.
        long[] sums = groups.computeIfAbsent(List.copyOf(record.subList(0, dimensions)), key -> new long[measures + 1]);
        for (int m = 0; m < measures; m++) {
            sums[m] += (Long) record.get(dimensions + m);
        }
        sums[measures]++;
    }

    private void close() {
        groups.forEach((key, sums) -> {
            Values values = new Values(key.toArray());
            for (long sum : sums) {
                values.add(sum);
            }
            collector.emit(values);
        });
        groups.clear();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        List<String> fields = TableRecords.dimensions(dimensions);
        fields.addAll(TableRecords.measures(measures));
        fields.add(TableTopology.COUNT);
        declarer.declare(new Fields(fields));
    }
}
