package io.updraft.bench.aggregate.table;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;

/** Emits one record per {@code nextTuple} call, until {@link TableState#emitting} is false. */
final class RecordSpout extends BaseRichSpout {

    private static final long serialVersionUID = 1;
    private static final int TELL_EVERY = 256;

    private final TableRecords records;
    private final List<String> fields;
    private transient SpoutOutputCollector collector;
    private transient long next;
    private transient Long time;

    RecordSpout(TableSpec spec) {
        records = new TableRecords(spec);
        fields = new ArrayList<>(TableRecords.dimensions(spec.dimensions()));
        fields.addAll(TableRecords.measures(spec.measures()));
        fields.add(TableRecords.TIME);
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        this.collector = collector;
        this.time = 0L;
        records.prepare();
    }

    @Override
    public void nextTuple() {
        if (!TableState.emitting) {
            TableState.emitted = next;
            TableState.stopped = true;
            return;
        }
        long now = records.time(next);
        if (now != time) {
            time = now;
        }
        collector.emit(new RecordValues(records.record(next), time));
        if (++next % TELL_EVERY == 0) {
            TableState.emitted = next;
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(fields));
    }

    /** A tuple's values: a record's values, which many tuples share, followed by its time. */
    private static final class RecordValues extends AbstractList<Object> implements RandomAccess {

        private final Object[] record;
        private final Long time;

        RecordValues(Object[] record, Long time) {
            this.record = record;
            this.time = time;
        }

        @Override
        public Object get(int index) {
            return index < record.length ? record[index] : time;
        }

        @Override
        public int size() {
            return record.length + 1;
        }
    }
}
