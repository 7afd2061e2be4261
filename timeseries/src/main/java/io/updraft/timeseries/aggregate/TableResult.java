package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/**
 * A result in memory: a table that nobody else changes, with views of the dictionaries that its ids are of.
 *
 * @param table the groups
 * @param dictionaries what the ids in it stand for
 * @param overflows how many of the groups do not fit into a row
 * @param bytes of memory that both take
 */
record TableResult(
        Window window,
        Emission emission,
        Schema schema,
        Columns columns,
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

    /** A result; of the dictionaries it counts as large a part as it has of their values at most. */
    static TableResult of(
            Window window,
            Emission emission,
            Schema schema,
            Columns columns,
            GroupTable table,
            Dictionaries dictionaries) {
        double part = Math.min(1, (double) table.size / Math.max(1, dictionaries.size()));
        long bytes = table.bytes() + (long) (part * dictionaries.bytes());
        return new TableResult(
                window, emission, schema, columns, table, dictionaries.view(), columns.overflows(table), bytes);
    }

    @Override
    public void forEach(Consumer<Row> rows) {
        Row row = new Row(schema);
        for (int group = 0; group < table.size; group++) {
            if (overflows == 0 || columns.fits(table, group)) {
                columns.fill(table, group, dictionaries, row);
                rows.accept(row);
            }
        }
    }

    @Override
    public void forEachOverflow(Consumer<Overflow> groups) {
        Row row = new Row(schema);
        for (int group = 0; overflows > 0 && group < table.size; group++) {
            if (!columns.fits(table, group)) {
                columns.fill(table, group, dictionaries, row);
                groups.accept(columns.overflow(table, group, row));
            }
        }
    }
}
