package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;

/** Completes the rows of records: defaults, derived columns, the filter. One thread only. */
final class RowMaker {

    private final Schema schema;
    private final List<ColumnWriter> columns = new ArrayList<>();
    private final ColumnWriter[] minding;
    private final Expression[] derived;
    private final Expression filter;
    private final Value value = new Value();

    RowMaker(DecodeSpec spec) {
        schema = spec.schema();
        for (Column column : spec.columns()) {
            columns.add(new ColumnWriter(column, columns.size()));
        }
        Row trial = new Row(schema);
        columns.forEach(column -> column.checkFallback(trial));
        minding = columns.stream().filter(ColumnWriter::mindsNone).toArray(ColumnWriter[]::new);
        derived = spec.derived().stream()
                .map(definition -> Expressions.definition(definition, before(definition, spec))
                        .expression())
                .toArray(Expression[]::new);
        filter = spec.filter() == null ? null : Expressions.condition(spec.filter(), schema);
    }

    /** Returns the fields that a definition may use: those before its own. */
    private Schema before(String definition, DecodeSpec spec) {
        int count = spec.columns().size() + spec.derived().indexOf(definition);
        return new Schema(schema.fields().subList(0, count));
    }

    Schema schema() {
        return schema;
    }

    List<ColumnWriter> columns() {
        return columns;
    }

    /** Puts defaults where values are missing. Throws {@link BadRecord} when a required value is missing. */
    void complete(Row row) {
        for (ColumnWriter column : minding) {
            column.complete(row);
        }
    }

    /** Passes a row with its derived columns to a handler, unless the filter drops it. */
    void emit(Row row, long position, long time, RowHandler rows) {
        int slot = columns.size();
        for (Expression expression : derived) {
            expression.evaluate(row, value);
            value.put(row, slot++, expression.type());
        }
        if (filter != null) {
            filter.evaluate(row, value);
            if (!value.isTrue()) {
                return;
            }
        }
        rows.row(row, position, time);
    }
}
