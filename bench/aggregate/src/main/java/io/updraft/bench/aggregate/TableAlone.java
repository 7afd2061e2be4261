package io.updraft.bench.aggregate;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.child.PeerRuntime;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTaskCounters;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.TaskCounter;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.storm.generated.StormTopology;

/**
 * The aggregator alone, on one thread and without a topology: records per second and bytes per group. One key follows the
 * other, and all records are in one window.
 */
public final class TableAlone implements BenchTopology, PeerRuntime {

    private static final String BYTES = "bytes per group";

    private static final int AT_ONCE = 1000;

    private final TableSpec spec = TableSpec.ofThisProcess();
    private final Query query;
    private final TableRecords records;

    /** Used by reflection. */
    public TableAlone() {
        List<Schema.Field> fields = new ArrayList<>();
        List<Measure> measures = new ArrayList<>();
        TableRecords.dimensions(spec.dimensions()).forEach(name -> fields.add(new Schema.Field(name, FieldType.TEXT)));
        TableRecords.measures(spec.measures()).forEach(name -> {
            fields.add(new Schema.Field(name, FieldType.LONG));
            measures.add(new Measure("sum_" + name, AggregateFunction.SUM, name, 0));
        });
        measures.add(new Measure(TableTopology.COUNT, AggregateFunction.COUNT, null, 0));
        query = new Query(
                new Schema(fields),
                TableRecords.dimensions(spec.dimensions()),
                measures,
                WindowSpec.tumbling(TableRecords.WINDOW));
        records = new TableRecords(spec);
        records.prepare();
    }

    @Override
    public CompletableFuture<?> start(String runId, Shape shape, Map<String, Object> conf) {
        return CompletableFuture.runAsync(
                () -> run(BenchRunState.of(runId)), thread -> DaemonThreads.start("aggregator", thread));
    }

    private void run(BenchRunState run) {
        BenchTaskCounters probe = run.probe(SPOUT);
        RecordRow row = new RecordRow(query.input());
        try (Aggregator aggregator = Aggregators.create(query, AggregatorOptions.inMemory())) {
            for (long i = 0; i < spec.keys(); i++) {
                add(aggregator, row, i);
            }
            for (long next = spec.keys(); !run.isQuiet(); next += AT_ONCE) {
                for (int i = 0; i < AT_ONCE; i++) {
                    add(aggregator, row, next + i);
                    probe.emitted();
                }
            }
            run.words(Map.of(BYTES, (int) (aggregator.bytes() / aggregator.groups())));
        }
    }

    /** {@return the aggregator's bytes per group in a run} */
    public static double bytes(RunResult run) {
        return run.figures().get(BYTES);
    }

    @Override
    public StormTopology build(Shape shape, String runId) {
        return null;
    }

    @Override
    public long delivered(Shape shape, BenchRunState run) {
        return run.sum(SPOUT, TaskCounter.EMITTED);
    }

    @Override
    public List<String> missing(Shape shape, BenchRunState run) {
        return List.of();
    }

    @Override
    public Map<String, Integer> figures(BenchRunState run) {
        return run.wordCounts().get(0);
    }

    private void add(Aggregator aggregator, RecordRow row, long number) {
        Object[] record = records.record(number);
        for (int d = 0; d < spec.dimensions(); d++) {
            row.setText(d, (String) record[d]);
        }
        for (int m = spec.dimensions(); m < record.length; m++) {
            row.setLong(m, (Long) record[m]);
        }
        aggregator.add(row, 0);
    }
}
