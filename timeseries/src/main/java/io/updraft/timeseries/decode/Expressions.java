package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;

/**
 * Expressions of derived columns and filters:
 *
 * <pre>
 *   definition = name "=" expression
 *   expression = and { ("||" | "or") and }
 *   and        = not { ("&amp;&amp;" | "and") not }
 *   not        = ("!" | "not") not | comparison
 *   comparison = sum [ ("==" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=") sum | ["not"] "in" "(" literal { "," literal } ")" ]
 *   sum        = product { ("+" | "-") product }
 *   product    = factor { ("*" | "/" | "%") factor }
 *   factor     = "-" factor | number | text | "true" | "false" | name | call | "(" expression ")"
 *   call       = exists(x) | lower(text) | upper(text) | concat(x, ...) | coalesce(x, ...) | truncate(time, "5m")
 *   name       = letters, digits, "_" and "." | anything in backticks
 *   text       = in double or single quotes; a backslash before a quote or backslash
 * </pre>
 *
 * <p>Types are checked: what is compared is of one type (whole and floating-point numbers are both numbers; text beside a time is
 * an ISO 8601 time). A time less a time is milliseconds. What has no value makes what is computed of it have none, except for
 * {@code exists}, {@code coalesce}, and {@code and} and {@code or} that the other side settles; a row whose filter has no value
 * is dropped.
 */
final class Expressions {

    private Expressions() {}

    /** A derived field and what it comes from. */
    record Definition(Field field, Expression expression) {}

    /**
     * Reads {@code name = expression}.
     *
     * @throws ExpressionException when it is wrong
     */
    static Definition definition(String text, Schema schema) {
        return new ExpressionParser(text, schema).definition();
    }

    /**
     * Reads an expression.
     *
     * @throws ExpressionException when it is wrong
     */
    static Expression expression(String text, Schema schema) {
        return new ExpressionParser(text, schema).expression();
    }

    /**
     * Reads an expression that is true or false.
     *
     * @throws ExpressionException when it is wrong, or something else
     */
    static Expression condition(String text, Schema schema) {
        Expression condition = expression(text, schema);
        if (condition.type() != FieldType.BOOLEAN) {
            throw new ExpressionException(text, 0, "a filter must be true or false, and this is " + named(condition));
        }
        return condition;
    }

    /** What messages call what an expression comes to. */
    static String named(Expression expression) {
        return switch (expression.type()) {
            case TEXT -> "text";
            case LONG, DOUBLE -> "a number";
            case BOOLEAN -> "true or false";
            case TIME -> "a time";
        };
    }
}
