package io.updraft.bench.aggregate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Keeps totals in hash maps, one per open window. A window closes when the event time of every partition has passed its end.
 */
final class StormTotalsBolt extends BaseRichBolt {

    static final String NAME = "name";
    static final String RESULT = "result";

    private static final long serialVersionUID = 1;
    private static final int NAME_FIELD = 0;
    private static final int PARTITION_FIELD = 1;
    private static final int TIME_FIELD = 2;
    private static final int VALUE_FIELD = 3;

    private final long[] times;
    private final long windowMillis;
    private transient NavigableMap<Long, Map<String, Totals>> windows;
    private transient OutputCollector collector;

    StormTotalsBolt(int partitions, long windowMillis) {
        this.times = new long[partitions];
        this.windowMillis = windowMillis;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        this.collector = collector;
        this.windows = new TreeMap<>();
    }

    @Override
    public void execute(Tuple tuple) {
        long time = tuple.getLong(TIME_FIELD);
        if (tuple.getSourceStreamId().equals(StormPeer.Read.CLOSING)) {
            advance(tuple.getInteger(PARTITION_FIELD), time);
        } else {
            Map<String, Totals> window = windows.computeIfAbsent(time - time % windowMillis, start -> new HashMap<>());
            window.computeIfAbsent(tuple.getString(NAME_FIELD), name -> new Totals())
                    .add(tuple.getLong(VALUE_FIELD));
            advance(tuple.getInteger(PARTITION_FIELD), time);
        }
        collector.ack(tuple);
    }

    /** Advances a partition's event time. Looks for closed windows only when the partition enters a new window. */
    private void advance(int partition, long time) {
        long before = times[partition];
        times[partition] = Math.max(before, time);
        if (before / windowMillis != time / windowMillis) {
            long least = Arrays.stream(times).min().orElseThrow();
            Map<Long, Map<String, Totals>> over = windows.headMap(least - windowMillis, true);
            over.forEach((start, window) -> window.forEach(
                    (name, totals) -> collector.emit(new Values(name, ResultJson.write(start, name, totals)))));
            over.clear();
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(NAME, RESULT));
    }
}
