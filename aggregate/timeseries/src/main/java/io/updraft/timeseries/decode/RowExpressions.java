package io.updraft.timeseries.decode;

import io.updraft.timeseries.expression.Expression;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * The expressions of a specification, compiled. For one thread, as its expressions are.
 *
 * @param schema the columns, then the derived columns without mistakes
 * @param derived the expressions of the derived columns without mistakes
 * @param filter null if there is none, or it has a mistake
 * @param mistakes all mistakes
 */
public record RowExpressions(Schema schema, List<Expression> derived, Expression filter, List<Mistake> mistakes) {

    /**
     * A mistake.
     *
     * @param column the derived column; null for the filter
     */
    public record Mistake(DerivedColumn column, ExpressionException cause) {}

    /** Compiles the expressions of a specification. Each derived column may use those before it. */
    public static RowExpressions of(DecodeSpec spec) {
        List<Schema.Field> fields = spec.columnFields();
        List<Expression> derived = new ArrayList<>();
        List<Mistake> mistakes = new ArrayList<>();
        Schema schema = new Schema(fields);
        for (DerivedColumn column : spec.derived()) {
            try {
                Expression expression = Expressions.column(column.name(), column.expression(), schema);
                derived.add(expression);
                fields.add(expression.field(column.name()));
                schema = new Schema(fields);
            } catch (ExpressionException e) {
                mistakes.add(new Mistake(column, e));
            }
        }
        Expression filter = null;
        try {
            filter = spec.filter() == null ? null : Expressions.condition(spec.filter(), schema);
        } catch (ExpressionException e) {
            mistakes.add(new Mistake(null, e));
        }
        return new RowExpressions(schema, derived, filter, mistakes);
    }

    /**
     * Returns the expressions if all are valid.
     *
     * @throws ExpressionException the first mistake
     */
    RowExpressions valid() {
        if (!mistakes.isEmpty()) {
            throw mistakes.get(0).cause();
        }
        return this;
    }
}
