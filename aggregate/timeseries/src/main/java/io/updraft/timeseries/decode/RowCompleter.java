package io.updraft.timeseries.decode;

import io.updraft.timeseries.expression.Expression;
import io.updraft.timeseries.expression.ExpressionValue;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;

/** Completes the rows of records: defaults, derived columns, the filter. One thread only. */
final class RowCompleter {

    private final Schema schema;
    private final List<ColumnWriter> columns = new ArrayList<>();
    /** Null if no column reads an attribute. */
    private final AttributeColumns attributes;

    private final ColumnWriter[] needingValue;
    private final Expression[] derived;
    private final Expression filter;
    private final ExpressionValue value = new ExpressionValue();

    RowCompleter(DecodeSpec spec) {
        RowExpressions expressions = RowExpressions.of(spec).valid();
        schema = expressions.schema();
        for (DecodedColumn column : spec.columns()) {
            columns.add(new ColumnWriter(column, columns.size()));
        }
        attributes = AttributeColumns.of(columns);
        RecordRow trial = new RecordRow(schema);
        columns.forEach(column -> column.checkFallback(trial));
        needingValue = columns.stream().filter(ColumnWriter::needsValue).toArray(ColumnWriter[]::new);
        derived = expressions.derived().toArray(Expression[]::new);
        filter = expressions.filter();
    }

    Schema schema() {
        return schema;
    }

    List<ColumnWriter> columns() {
        return columns;
    }

    /** Returns the columns whose values are in the content of records. */
    List<ColumnWriter> contentColumns() {
        return columns.stream().filter(column -> column.column().from() == null).toList();
    }

    /** Returns the columns of attributes, to fill them before {@link #complete}; null if there are none. */
    AttributeColumns attributes() {
        return attributes;
    }

    /** Puts defaults where values are missing. Throws {@link RejectedRecordException} when a required value is missing. */
    void complete(RecordRow row) {
        for (ColumnWriter column : needingValue) {
            column.complete(row);
        }
    }

    /** Returns whether rows are passed on as they were read. */
    boolean changesNothing() {
        return attributes == null && derived.length == 0 && filter == null && needingValue.length == 0;
    }

    /**
     * Computes derived columns and the filter.
     *
     * @return whether the row is kept
     * @throws RejectedRecordException when a value cannot be cast
     */
    boolean derive(RecordRow row) {
        int slot = columns.size();
        for (Expression expression : derived) {
            evaluate(expression, row, slot);
            value.put(row, slot++, expression.type());
        }
        if (filter == null) {
            return true;
        }
        evaluate(filter, row, -1);
        return value.isTrue();
    }

    private void evaluate(Expression expression, RecordRow row, int slot) {
        try {
            expression.evaluate(row, value);
        } catch (RejectedRecordException e) {
            String where =
                    slot < 0 ? "filter" : "column " + schema.fields().get(slot).name();
            throw new RejectedRecordException(where + ": " + e.getMessage());
        }
    }
}
