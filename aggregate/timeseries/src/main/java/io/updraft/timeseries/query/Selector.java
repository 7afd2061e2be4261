package io.updraft.timeseries.query;

import io.updraft.timeseries.expression.Expression;
import io.updraft.timeseries.expression.ExpressionValue;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;

/** Computes the rows of a {@link Selection} from groups. One thread only. */
public final class Selector {

    private final Selection selection;
    private final int dimensions;
    /** The fields of groups, then the columns that are computed. */
    private final Schema all;

    private final int groupFields;
    private final Schema schema;
    private final List<Expression> computed = new ArrayList<>();
    private final Expression having;
    private final Ranking top;
    private final Ranking order;
    /** The slot in the whole row of each slot of a result. */
    private final int[] slots;

    private final RecordRow whole;
    private final RecordRow row;
    private final ExpressionValue value = new ExpressionValue();

    /**
     * Compiles a selection.
     *
     * @param groups the dimensions and measures of the groups
     * @param dimensions the number of dimensions
     * @throws io.updraft.timeseries.expression.ExpressionException when an expression is invalid
     */
    public Selector(Selection selection, Schema groups, int dimensions) {
        this.selection = selection;
        this.dimensions = dimensions;
        List<Schema.Field> fields = new ArrayList<>(groups.fields());
        groupFields = fields.size();
        for (Selection.Column column : selection.columns()) {
            if (column.expression() != null) {
                Expression expression = Expressions.column(column.name(), column.expression(), new Schema(fields));
                computed.add(expression);
                fields.add(expression.field(column.name()));
            }
        }
        all = new Schema(fields);
        List<Schema.Field> results = new ArrayList<>(fields.subList(0, dimensions));
        selection.columns().forEach(column -> results.add(fields.get(all.slot(column.name()))));
        schema = new Schema(results);
        slots = results.stream().mapToInt(field -> all.slot(field.name())).toArray();
        having = selection.having() == null ? null : Expressions.condition(selection.having(), all);
        top = selection.top() == null ? null : new Ranking(selection.top().order(), all);
        order = new Ranking(selection.order(), all);
        whole = new RecordRow(all);
        row = new RecordRow(schema);
    }

    /** Returns the columns of the results: first the dimensions. */
    public Schema schema() {
        return schema;
    }

    /** Returns the rows of the groups of a window. */
    public WindowResult select(WindowResult groups) {
        return new SelectedResult(groups, this);
    }

    Selection selection() {
        return selection;
    }

    int dimensions() {
        return dimensions;
    }

    Schema all() {
        return all;
    }

    Ranking top() {
        return top;
    }

    Ranking order() {
        return order;
    }

    RecordRow whole() {
        return whole;
    }

    /**
     * Computes all values of a group, in the whole row.
     *
     * @throws RejectedRecordException when a value cannot be cast
     */
    void compute(RecordRow group) {
        copy(group);
        for (int i = 0; i < computed.size(); i++) {
            try {
                computed.get(i).evaluate(whole, value);
            } catch (RejectedRecordException e) {
                String name = all.fields().get(groupFields + i).name();
                throw new RejectedRecordException(name + ": " + e.getMessage());
            }
            value.put(whole, groupFields + i, computed.get(i).type());
        }
    }

    private void copy(RecordRow group) {
        for (int slot = 0; slot < groupFields; slot++) {
            whole.copy(slot, group, slot);
        }
    }

    /** Returns whether the group in the whole row is to be returned. */
    boolean isSelected() {
        if (having == null) {
            return true;
        }
        having.evaluate(whole, value);
        return value.isTrue();
    }

    /** Returns the row of a result, from the whole row; the same for each group. */
    RecordRow result() {
        for (int slot = 0; slot < slots.length; slot++) {
            row.copy(slot, whole, slots[slot]);
        }
        return row;
    }

    /** Returns the row of a group of which not all can be computed. */
    RecordRow withoutComputed(RecordRow group) {
        copy(group);
        for (int i = 0; i < computed.size(); i++) {
            whole.setNone(groupFields + i);
        }
        return result();
    }
}
