package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/**
 * A result in memory: a table that nobody else changes, with views of the dictionaries that its ids are of.
 *
 * @param table the groups
 * @param dictionaries what the ids in it stand for
 */
record TableResult(
        Window window, Emission emission, Schema schema, Columns columns, GroupTable table, Dictionaries dictionaries)
        implements PartialResult {

    @Override
    public int dimensions() {
        return table.layout.dimensions;
    }

    @Override
    public long size() {
        return table.size;
    }

    @Override
    public void forEach(Consumer<Row> rows) {
        Row row = new Row(schema);
        for (int group = 0; group < table.size; group++) {
            columns.fill(table, group, dictionaries, row);
            rows.accept(row);
        }
    }
}
