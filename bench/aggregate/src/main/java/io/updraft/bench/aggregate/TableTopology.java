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
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/**
 * Aggregation: a spout of records, aggregators with a fields grouping on all dimensions, and one bolt that sums the results.
 * With two levels of bolts it is the whole job: a spout of lines, and decoders before the aggregators. A message is a record.
 * Every record must be counted in a result, and each measure's total must be right.
 */
public final class TableTopology implements BenchTopology {

    static final String COUNT = "n";

    private static final String AGGREGATOR = "aggregate";
    private static final String RESULTS = "results";

    private final TableSpec spec = TableSpec.ofThisProcess();

    /** Used by reflection. */
    public TableTopology() {}

    @Override
    public StormTopology build(Shape shape, String runId) {
        int totals = spec.measures() + 1;
        TopologyBuilder builder = new TopologyBuilder();
        String records = records(builder, shape, runId);
        builder.setBolt(AGGREGATOR, new CountedBolt(runId, aggregator(spec, shape)), shape.bolts())
                .fieldsGrouping(records, new Fields(TableRecords.dimensions(spec.dimensions())));
        builder.setBolt(RESULTS, new CountingBolt(runId, (run, task) -> summing(run, totals)))
                .globalGrouping(AGGREGATOR);
        return builder.createTopology();
    }

    private String records(TopologyBuilder builder, Shape shape, String runId) {
        TableSpec records = spec;
        if (isWholeJob(shape)) {
            return JsonLines.records(records, builder, shape, runId);
        }
        builder.setSpout(SPOUT, new CountingSpout(runId, shape, () -> messages(records), fields(spec)), shape.spouts());
        return SPOUT;
    }

    private static boolean isWholeJob(Shape shape) {
        return shape.levels() > 1;
    }

    private long sum(Shape shape, TableRecords records, long number, int measure) {
        return isWholeJob(shape) ? JsonLines.sum(spec, records, number, measure) : records.sum(number, measure);
    }

    private static IRichBolt aggregator(TableSpec spec, Shape shape) {
        AggregateBoltBuilder bolt = AggregateBolt.builder()
                .groupBy(TableRecords.dimensions(spec.dimensions()).toArray(String[]::new))
                // Several spouts or decoders do not advance alike. A record that is late by more than a window is
                // missing in the results.
                .eventTime(
                        TableRecords.TIME,
                        shape.spouts() > 1 || isWholeJob(shape) ? TableRecords.WINDOW : Duration.ZERO)
                .every(TableRecords.WINDOW)
                .closeWhenIdle(Duration.ofSeconds(1))
                .ackAtOnce();
        TableRecords.measures(spec.measures())
                .forEach(measure ->
                        bolt.field(measure, FieldType.LONG).measure("sum_" + measure, AggregateFunction.SUM, measure));
        return bolt.count(COUNT).build();
    }

    /** {@return the number of aggregated records: those of a window are in results only after its end} */
    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(AGGREGATOR, TaskCounter.RECEIVED);
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        long results = emitted(run).map(this::results).max().orElse(0);
        return new CountCheck()
                .equal("records emitted", emitted(run).sum(), "aggregated", delivered(shape, run))
                .equal("groups of all windows", results, "results", run.sum(RESULTS, TaskCounter.RECEIVED))
                .problems();
    }

    private static LongStream emitted(BenchRunState run) {
        return run.probes(SPOUT).stream().mapToLong(spout -> spout.get(TaskCounter.EMITTED));
    }

    /** {@return the number of groups of all windows that so many records of a spout have} All spouts begin windows with the same keys. */
    private long results(long number) {
        long windows = number / spec.recordsPerWindow();
        return windows * spec.keys() + Math.min(spec.keys(), number % spec.recordsPerWindow());
    }

    @Override
    public List<String> wrong(Shape shape, BenchRunState run) {
        TableRecords records = new TableRecords(spec);
        records.prepare();
        CountCheck check = new CountCheck();
        for (int m = 0; m < spec.measures(); m++) {
            int measure = m;
            long sum = emitted(run)
                    .map(number -> sum(shape, records, number, measure))
                    .sum();
            check.equal("sum of measure " + m, sum, "summed", ResultTotals.of(run, m));
        }
        return check.equal(
                        "records emitted",
                        emitted(run).sum(),
                        "counted in results",
                        ResultTotals.of(run, spec.measures()))
                .problems();
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

    /** {@return the fields of a record's tuple: dimensions, measures and the time} */
    static String[] fields(TableSpec spec) {
        List<String> fields = new ArrayList<>(TableRecords.dimensions(spec.dimensions()));
        fields.addAll(TableRecords.measures(spec.measures()));
        fields.add(TableRecords.TIME);
        return fields.toArray(String[]::new);
    }

    private static BiConsumer<Tuple, BasicOutputCollector> summing(BenchRunState run, int number) {
        ResultTotals totals = new ResultTotals(number);
        run.words(totals);
        return (result, collector) -> totals.add(result.getValues());
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
