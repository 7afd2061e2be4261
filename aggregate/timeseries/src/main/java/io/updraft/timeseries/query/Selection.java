package io.updraft.timeseries.query;

import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.record.Schema;
import java.io.Serializable;
import java.util.List;

/**
 * What is returned of the groups of a window: {@code SELECT columns FROM groups HAVING having QUALIFY top ORDER BY order LIMIT limit}.
 * Expressions are of dimensions, measures, and columns before them.
 *
 * @param columns the columns after the dimensions
 * @param having a condition of the groups to return; null for all
 * @param top the first groups of each set of groups; null for all
 * @param order the order of the rows of a window; empty for any
 * @param limit the most rows of a window; 0 for all
 */
public record Selection(List<Column> columns, String having, Top top, List<Order> order, long limit)
        implements Serializable {

    /** Copies the lists. */
    public Selection {
        columns = List.copyOf(columns);
        order = List.copyOf(order);
    }

    /**
     * A column.
     *
     * @param expression null for the measure of the same name
     */
    public record Column(String name, String expression) implements Serializable {}

    /**
     * An order. Rows without a value come last.
     *
     * @param expression of which the values are compared
     * @param descending whether the greatest comes first
     */
    public record Order(String expression, boolean descending) implements Serializable {}

    /**
     * The first groups of each set of groups. Of groups that are alike in this order, those whose dimensions come first.
     *
     * @param rows how many
     * @param per the dimensions and columns whose values make a set; empty for one set of all groups
     */
    public record Top(long rows, List<String> per, List<Order> order) implements Serializable {

        /** Copies the lists. */
        public Top {
            per = List.copyOf(per);
            order = List.copyOf(order);
        }
    }

    /** Returns whether each measure is a column, in the same order, and all groups are returned, in any order. */
    public boolean isOf(List<Measure> measures) {
        boolean same = columns.size() == measures.size() && having == null && !reorders();
        for (int i = 0; same && i < columns.size(); i++) {
            same = columns.get(i).expression() == null
                    && columns.get(i).name().equals(measures.get(i).name());
        }
        return same;
    }

    /** Returns whether which rows there are, or their order, depends on other rows. */
    public boolean reorders() {
        return top != null || !order.isEmpty() || limit > 0;
    }

    /**
     * Returns the columns of the results: first the dimensions.
     *
     * @param groups the dimensions and measures of the groups
     * @param dimensions the number of dimensions
     * @throws ExpressionException when an expression is invalid
     */
    public Schema schema(Schema groups, int dimensions) {
        return new Selector(this, groups, dimensions).schema();
    }
}
