package io.updraft.pipeline.sql;

import io.updraft.timeseries.expression.AggregateCall;

/** Names of columns in queries. */
final class SqlNames {

    private SqlNames() {}

    /** Returns the name of a column if an expression is nothing else; else null. */
    static String column(String expression) {
        return AggregateCall.columnName(expression);
    }

    static String quoted(String name) {
        return AggregateCall.written(name);
    }
}
