package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The expressions of derived columns and filters:
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
 * <p>Types are checked: both sides of a comparison have one type. Whole and floating-point numbers are both numbers; text
 * compared with a time is an ISO 8601 time. A time minus a time gives milliseconds. An expression with an operand without a
 * value has no value. Exceptions are {@code exists}, {@code coalesce}, and {@code and} and {@code or} if the other side decides
 * the result. A row whose filter has no value is dropped.
 */
public final class Expressions {

    private Expressions() {}

    /** A derived column and its expression. */
    public record Definition(Schema.Field field, Expression expression) {}

    /** Parses {@code name = expression}. Throws {@link ExpressionException} when it is invalid. */
    public static Definition definition(String text, Schema schema) {
        return new ExpressionParser(text, schema).definition();
    }

    /** Parses an expression. Throws {@link ExpressionException} when it is invalid. */
    static Expression expression(String text, Schema schema) {
        return new ExpressionParser(text, schema).expression();
    }

    /** Parses a condition. Throws {@link ExpressionException} when it is invalid, or neither true nor false. */
    public static Expression condition(String text, Schema schema) {
        Expression condition = expression(text, schema);
        if (condition.type() != FieldType.BOOLEAN) {
            throw new ExpressionException(text, 0, "a filter must be true or false, but this is " + named(condition));
        }
        return condition;
    }

    /** Returns the names of the columns in an expression or a definition; of an invalid one, those before the error. */
    public static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        replaced(text, name -> {
            names.add(name);
            return null;
        });
        return names;
    }

    /** Returns an expression or a definition with other names for some columns; of an invalid one, before the error. */
    public static String renamed(String text, Map<String, String> names) {
        return replaced(text, names::get);
    }

    /** Returns a text whose names are replaced, except those for which there is null. */
    private static String replaced(String text, UnaryOperator<String> names) {
        StringBuilder replaced = new StringBuilder();
        int copied = 0;
        try {
            ExpressionLexer tokens = new ExpressionLexer(text);
            for (; tokens.kind != ExpressionLexer.Kind.END; tokens.advance()) {
                String name = isColumn(tokens) ? names.apply(tokens.isAt) : null;
                if (name != null) {
                    replaced.append(text, copied, tokens.from).append(quoted(name));
                    copied = tokens.end();
                }
            }
        } catch (ExpressionException e) {
            // The parser reports it.
        }
        return replaced.append(text, copied, text.length()).toString();
    }

    private static boolean isColumn(ExpressionLexer tokens) {
        boolean word = tokens.kind == ExpressionLexer.Kind.NAME
                && !ExpressionParser.WORDS.contains(tokens.isAt)
                && !tokens.beforeParenthesis();
        return word || tokens.kind == ExpressionLexer.Kind.QUOTED_NAME;
    }

    private static String quoted(String name) {
        return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`";
    }

    /** Returns the name of an expression's type in messages. */
    static String named(Expression expression) {
        return switch (expression.type()) {
            case TEXT -> "text";
            case LONG, DOUBLE -> "a number";
            case BOOLEAN -> "true or false";
            case TIME -> "a time";
        };
    }
}
