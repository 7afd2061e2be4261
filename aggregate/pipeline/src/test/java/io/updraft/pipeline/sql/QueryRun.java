package io.updraft.pipeline.sql;

import io.updraft.base.record.Chunk;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.Selector;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Aggregates the records of one chunk as a pipeline does, without its threads. */
final class QueryRun {

    private final PipelineSpec spec;
    private final Query query;
    private final int timeSlot;

    QueryRun(PipelineSpec spec) {
        this.spec = spec;
        query = spec.aggregate().query(spec.decode().schema());
        timeSlot =
                spec.aggregate().allTime() ? -1 : query.input().slot(spec.time().field());
    }

    /** Returns the rows of the results; those of windows begin with the window's start, milliseconds since 1970. */
    List<List<Object>> rows(byte[] records) {
        Set<String> read = query.measuredFields();
        if (timeSlot >= 0) {
            read.add(spec.time().field());
        }
        List<List<Object>> rows = new ArrayList<>();
        try (Aggregator aggregator = Aggregators.create(query, AggregatorOptions.inMemory())) {
            Decoder.create(spec.decode(), query.dimensions(), read)
                    .decode(new Chunk("u", 0, records, records.length), new RowHandler() {
                        @Override
                        public void row(RecordRow row, long position, long time) {
                            if (timeSlot < 0 || row.has(timeSlot)) {
                                aggregator.add(row, timeSlot < 0 ? 0 : row.getLong(timeSlot));
                            }
                        }

                        @Override
                        public void rows(RowBlock block) {
                            if (timeSlot < 0) {
                                aggregator.add(block, 0);
                            } else {
                                RowHandler.super.rows(block);
                            }
                        }

                        @Override
                        public void rejected(long position, byte[] in, int from, int length, String reason) {
                            throw new AssertionError(reason);
                        }
                    });
            Selector selector = new Selector(
                    spec.aggregate().selection(),
                    query.result(),
                    query.dimensions().size());
            for (PartialResult result : aggregator.closeWindows(Long.MAX_VALUE)) {
                add(selector.select(result), rows);
            }
        }
        return rows;
    }

    private void add(WindowResult result, List<List<Object>> rows) {
        List<Schema.Field> fields = result.schema().fields();
        result.forEach(row -> {
            List<Object> values = new ArrayList<>();
            if (timeSlot >= 0) {
                values.add(result.window().start());
            }
            for (int slot = 0; slot < fields.size(); slot++) {
                boolean isTruth = fields.get(slot).type() == FieldType.BOOLEAN && row.has(slot);
                values.add(isTruth ? (Object) (row.getLong(slot) == 1) : row.value(slot));
            }
            rows.add(values);
        });
    }
}
