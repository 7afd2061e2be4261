package io.updraft.bench.aggregate.table;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.CountCheck;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import io.updraft.bench.topology.state.TaskCounter;
import io.updraft.timeseries.bolt.AggregateBolt;
import io.updraft.timeseries.bolt.AggregateBoltBuilder;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.record.FieldType;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/**
 * Aggregation alone: a spout, aggregators with a fields grouping on all dimensions, and one bolt that sums the results. A message
 * is a record. Every record must be counted in a result, and each measure's total must be right.
 */
public final class TableTopology implements BenchTopology {

    static final String COUNT = "n";

    private static final String AGGREGATOR = "aggregate";

    /** The sum of each measure over all results, and the number of records in them. A JVM has one run. */
    private static volatile AtomicLongArray totals;

    private final TableSpec spec = TableSpec.ofThisProcess();

    /** Used by reflection. */
    public TableTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        totals = new AtomicLongArray(spec.measures() + 1);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new RecordSpout(spec, runId), 1);
        builder.setBolt(AGGREGATOR, aggregator(spec), shape.bolts())
                .fieldsGrouping(SPOUT, new Fields(TableRecords.dimensions(spec.dimensions())));
        builder.setBolt("results", new ResultBolt(runId), 1).globalGrouping(AGGREGATOR);
        return builder.createTopology();
    }

    private static IRichBolt aggregator(TableSpec spec) {
        AggregateBoltBuilder bolt = AggregateBolt.builder()
                .groupBy(TableRecords.dimensions(spec.dimensions()).toArray(String[]::new))
                .eventTime(TableRecords.TIME, Duration.ZERO)
                .every(TableRecords.WINDOW)
                .closeWhenIdle(Duration.ofSeconds(1))
                .ackAtOnce();
        TableRecords.measures(spec.measures())
                .forEach(measure ->
                        bolt.field(measure, FieldType.LONG).measure("sum_" + measure, AggregateFunction.SUM, measure));
        return bolt.count(COUNT).build();
    }

    /** {@return the number of emitted records: those of a window are in results only after its end} */
    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(SPOUT, TaskCounter.EMITTED);
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        return new CountCheck()
                .equal("records emitted", delivered(shape, run), "counted in results", totals.get(spec.measures()))
                .problems();
    }

    @Override
    public List<String> wrong(Shape shape, BenchRunState run) {
        TableRecords records = new TableRecords(spec);
        records.prepare();
        CountCheck check = new CountCheck();
        for (int m = 0; m < spec.measures(); m++) {
            check.equal("sum of measure " + m, records.sum(delivered(shape, run), m), "summed", totals.get(m));
        }
        return check.problems();
    }

    /** Emits one record per {@code nextTuple} call. */
    private static final class RecordSpout extends BaseRichSpout {

        private static final long serialVersionUID = 1;

        private final TableRecords records;
        private final List<String> fields;
        private final String runId;
        private transient BenchRunState run;
        private transient BenchTaskCounters probe;
        private transient SpoutOutputCollector collector;
        private transient long next;
        private transient Long time;

        RecordSpout(TableSpec spec, String runId) {
            this.runId = runId;
            records = new TableRecords(spec);
            fields = new ArrayList<>(TableRecords.dimensions(spec.dimensions()));
            fields.addAll(TableRecords.measures(spec.measures()));
            fields.add(TableRecords.TIME);
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            this.collector = collector;
            this.time = 0L;
            run = BenchRunState.of(runId);
            probe = run.probe(context);
            records.prepare();
        }

        @Override
        public void nextTuple() {
            if (run.isQuiet()) {
                return;
            }
            long now = records.time(next);
            if (now != time) {
                time = now;
            }
            collector.emit(new RecordValues(records.record(next++), time));
            probe.emitted();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields(fields));
        }
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

    /** Sums the results, whose last fields are the measures and the count. */
    private static final class ResultBolt extends BaseRichBolt {

        private static final long serialVersionUID = 1;

        private final String runId;
        private transient BenchTaskCounters probe;
        private transient OutputCollector collector;

        ResultBolt(String runId) {
            this.runId = runId;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
            probe = BenchRunState.of(runId).probe(context);
        }

        @Override
        public void execute(Tuple tuple) {
            List<Object> values = tuple.getValues();
            int first = values.size() - totals.length();
            for (int i = 0; i < totals.length(); i++) {
                totals.addAndGet(i, (Long) values.get(first + i));
            }
            collector.ack(tuple);
            probe.received(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
