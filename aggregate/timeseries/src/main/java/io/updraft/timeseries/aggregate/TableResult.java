package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/**
 * A result in memory: a table that is not changed any more, with views of the dictionaries of its ids.
 *
 * @param table the groups
 * @param dictionaries the dictionaries of the ids in the table
 * @param overflows the number of groups that do not fit into a row
 * @param bytes the memory size of the table and its part of the dictionaries
 */
record TableResult(
        TimeWindow window,
        Emission emission,
        Schema schema,
        ResultColumns columns,
        GroupTable table,
        Dictionaries dictionaries,
        long overflows,
        long bytes)
        implements PartialResult {

    @Override
    public int dimensions() {
        return table.layout.dimensions;
    }

    @Override
    public long size() {
        return table.size - overflows;
    }

    /** Creates a result. Its size includes at most the part of the dictionaries that corresponds to its number of values. */
    static TableResult of(
            TimeWindow window,
            Emission emission,
            Schema schema,
            ResultColumns columns,
            GroupTable table,
            Dictionaries dictionaries) {
        double part = Math.min(1, (double) table.size / Math.max(1, dictionaries.size()));
        long bytes = table.bytes() + (long) (part * dictionaries.bytes());
        return new TableResult(
                window, emission, schema, columns, table, dictionaries.view(), columns.overflows(table), bytes);
    }

    @Override
    public void forEach(Consumer<RecordRow> rows) {
        RecordRow row = new RecordRow(schema);
        for (int group = 0; group < table.size; group++) {
            if (overflows == 0 || columns.fits(table, group)) {
                columns.fill(table, group, dictionaries, row);
                rows.accept(row);
            }
        }
    }

    @Override
    public void forEachOverflow(Consumer<Overflow> groups) {
        RecordRow row = new RecordRow(schema);
        for (int group = 0; overflows > 0 && group < table.size; group++) {
            if (!columns.fits(table, group)) {
                columns.fill(table, group, dictionaries, row);
                groups.accept(columns.overflow(table, group, row));
            }
        }
    }
}
