package io.updraft.bench.aggregate.table;

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
import io.updraft.timeseries.record.SchemaField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures the aggregator alone, on one thread: records per second and bytes per group. */
final class TableAlone {

    private final TableSpec spec;
    private final Query query;
    private final TableRecords records;

    TableAlone(TableSpec spec) {
        this.spec = spec;
        List<SchemaField> fields = new ArrayList<>();
        List<Measure> measures = new ArrayList<>();
        TableRecords.dimensions(spec.dimensions()).forEach(name -> fields.add(new SchemaField(name, FieldType.TEXT)));
        TableRecords.measures(spec.measures()).forEach(name -> {
            fields.add(new SchemaField(name, FieldType.LONG));
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

    Map<String, Object> run() {
        RecordRow row = new RecordRow(query.input());
        try (Aggregator aggregator = Aggregators.create(query, AggregatorOptions.inMemory())) {
            for (long i = 0; i < spec.keys(); i++) {
                add(aggregator, row, i);
            }
            long next = pass(aggregator, row, spec.keys(), spec.warmupMillis());
            long began = System.nanoTime();
            long end = pass(aggregator, row, next, spec.testMillis());
            double seconds = (System.nanoTime() - began) / 1e9;
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("recordsPerSecond", (end - next) / seconds);
            result.put("groups", aggregator.groups());
            result.put("bytesPerGroup", (double) aggregator.bytes() / aggregator.groups());
            return result;
        }
    }

    private long pass(Aggregator aggregator, RecordRow row, long from, long millis) {
        long deadline = System.nanoTime() + millis * 1_000_000;
        long next = from;
        while (System.nanoTime() - deadline < 0) {
            for (int i = 0; i < 10_000; i++) {
                add(aggregator, row, next++);
            }
        }
        return next;
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
