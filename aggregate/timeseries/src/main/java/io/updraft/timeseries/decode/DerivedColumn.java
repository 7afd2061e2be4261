package io.updraft.timeseries.decode;

import io.updraft.timeseries.expression.Expressions;
import java.io.Serializable;
import java.util.Objects;

/**
 * A column that is computed from others of the same row.
 *
 * @param name the name of the column
 * @param expression an expression of columns, and of derived columns before it
 * @see Expressions the grammar of expressions
 */
public record DerivedColumn(String name, String expression) implements Serializable {

    /** Creates a column. {@link DecodeSpec#schema} checks the expression. */
    public DerivedColumn {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(expression, "expression");
    }
}
