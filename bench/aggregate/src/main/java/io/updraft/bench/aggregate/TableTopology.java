package io.updraft.bench.aggregate;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.CountCheck;
import io.updraft.bench.topology.CountingBolt;
import io.updraft.bench.topology.CountingSpout;
import io.updraft.bench.topology.TaskCounter;
import io.updraft.timeseries.bolt.AggregateBolt;
import io.updraft.timeseries.bolt.AggregateBoltBuilder;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.record.FieldType;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongFunction;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
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
        TableSpec records = spec;
        totals = new AtomicLongArray(spec.measures() + 1);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(
                SPOUT,
                new CountingSpout(
                        runId, shape, () -> messages(records), fields(spec).toArray(String[]::new)));
        builder.setBolt(AGGREGATOR, aggregator(spec), shape.bolts())
                .fieldsGrouping(SPOUT, new Fields(TableRecords.dimensions(spec.dimensions())));
        builder.setBolt("results", new CountingBolt(runId, (run, task) -> TableTopology::sum))
                .globalGrouping(AGGREGATOR);
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

    private static LongFunction<List<Object>> messages(TableSpec spec) {
        TableRecords records = new TableRecords(spec);
        records.prepare();
        Long[] time = {0L};
        return number -> {
            long now = records.time(number);
            if (now != time[0]) {
                time[0] = now;
            }
            return new RecordValues(records.record(number), time[0]);
        };
    }

    private static List<String> fields(TableSpec spec) {
        List<String> fields = new ArrayList<>(TableRecords.dimensions(spec.dimensions()));
        fields.addAll(TableRecords.measures(spec.measures()));
        fields.add(TableRecords.TIME);
        return fields;
    }

    /** Sums a result, whose last fields are the measures and the count. */
    private static void sum(Tuple result, BasicOutputCollector collector) {
        List<Object> values = result.getValues();
        int first = values.size() - totals.length();
        for (int i = 0; i < totals.length(); i++) {
            totals.addAndGet(i, (Long) values.get(first + i));
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
}
