package io.updraft.timeseries.expression;

import io.updraft.base.text.Spelling;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The expressions of derived columns and filters: those of SQL, with the functions, the types and the treatment of NULL that DuckDB
 * has. Types are checked. A row whose filter has no value is dropped.
 *
 * <p>What versions before 0.3 wrote is read too: {@code ==}, {@code &&}, {@code ||} between conditions, {@code !}, texts in double
 * quotes, names in backticks, {@code exists(x)} and {@code truncate(time, "5m")}.
 */
public final class Expressions {

    private Expressions() {}

    /** A derived column and its expression. */
    public record Definition(Schema.Field field, Expression expression) {}

    /**
     * Parses {@code name = expression}.
     *
     * @throws ExpressionException when it is invalid
     */
    public static Definition definition(String text, Schema schema) {
        SqlText.Token name = nameOf(text);
        String column = name.content();
        if (schema.has(column)) {
            throw new ExpressionException(text, name.from(), "there is a column " + column + " already");
        }
        String blank = " ".repeat(text.indexOf('=', name.to()) + 1);
        Expression expression = parsed(text, blank + text.substring(blank.length()), schema, false);
        return new Definition(new Schema.Field(column, expression.type()), expression);
    }

    private static SqlText.Token nameOf(String text) {
        int equals = text.indexOf('=');
        String before = equals < 0 ? text : text.substring(0, equals);
        if (equals >= 0 && before.isBlank()) {
            throw new ExpressionException(text, 0, "expected the name of a derived column");
        }
        List<SqlText.Token> tokens = SqlText.tokens(before, name -> true);
        SqlText.Token first = tokens.get(0);
        if (first.kind() != SqlText.Kind.NAME && first.kind() != SqlText.Kind.QUOTED_NAME) {
            throw new ExpressionException(text, first.from(), "expected the name of a derived column");
        }
        if (equals < 0 || tokens.size() > 1) {
            throw new ExpressionException(
                    text, tokens.size() > 1 ? tokens.get(1).from() : text.length(), "expected = after the name");
        }
        return first;
    }

    /**
     * Parses an expression.
     *
     * @throws ExpressionException when it is invalid
     */
    static Expression expression(String text, Schema schema) {
        return parsed(text, text, schema, false);
    }

    /**
     * Parses a condition.
     *
     * @throws ExpressionException when it is invalid, or neither true nor false
     */
    public static Expression condition(String text, Schema schema) {
        return parsed(text, text, schema, true);
    }

    /** Parses an expression. Reads {@code ||} as "or" if the text has no meaning otherwise. */
    private static Expression parsed(String whole, String text, Schema schema, boolean condition) {
        try {
            return checked(whole, parsed(whole, text, schema), condition);
        } catch (ExpressionException e) {
            String old = text.contains("||") ? withOr(text) : text;
            if (old.equals(text)) {
                throw e;
            }
            try {
                return checked(whole, parsed(whole, old, schema), condition);
            } catch (ExpressionException other) {
                throw e;
            }
        }
    }

    /**
     * {@return an expression in SQL, if it has what versions before 0.3 wrote in their own way; else as it is}
     *
     * @param schema the columns that it may use
     */
    public static String renewed(String text, Schema schema) {
        Function<String, String> columns = columns(schema);
        return OldSpelling.renewed(text, name -> columns.apply(name) != null, hasOr(text, schema));
    }

    /** Returns whether an expression has a meaning only if its bars are "or". */
    private static boolean hasOr(String text, Schema schema) {
        if (!text.contains("||")) {
            return false;
        }
        try {
            String or = withOr(text);
            return parsed(text, or, schema).type() == FieldType.BOOLEAN && !isValid(text, schema);
        } catch (ExpressionException e) {
            return false;
        }
    }

    private static boolean isValid(String text, Schema schema) {
        try {
            return parsed(text, text, schema) != null;
        } catch (ExpressionException e) {
            return false;
        }
    }

    /** Returns a text of the same length with "or" in place of bars outside of quotes. */
    private static String withOr(String text) {
        StringBuilder or = new StringBuilder(text);
        for (SqlText.Token token : SqlText.tokens(text, name -> true)) {
            if (token.is("||")) {
                or.replace(token.from(), token.to(), "or");
            }
        }
        return or.toString();
    }

    private static Expression checked(String text, Expression expression, boolean condition) {
        if (condition && expression.type() != FieldType.BOOLEAN) {
            throw new ExpressionException(
                    text, 0, "a filter must be true or false, but this is " + named(expression.type()));
        }
        return expression;
    }

    private static Expression parsed(String whole, String text, Schema schema) {
        Function<String, String> columns = columns(schema);
        try {
            SqlPieces pieces = new SqlPieces(whole, SqlText.tokens(text, name -> columns.apply(name) != null));
            return new SqlCompiler(whole, pieces, schema, columns).compile(pieces.whole());
        } catch (ExpressionException e) {
            throw e.in(whole);
        }
    }

    /** Returns the exact names of columns that may be written in other case. */
    private static Function<String, String> columns(Schema schema) {
        return name -> {
            if (schema.has(name)) {
                return name;
            }
            List<String> alike = schema.fields().stream()
                    .map(Schema.Field::name)
                    .filter(name::equalsIgnoreCase)
                    .toList();
            return alike.size() == 1 ? alike.get(0) : null;
        };
    }

    /** {@return the names of the columns in an expression or a definition; of an invalid one, none} */
    public static Set<String> names(String text) {
        return SqlText.names(text);
    }

    /**
     * {@return an expression or a definition with other names for some columns; an invalid one as it is}
     *
     * @param names the new names by the old ones
     */
    public static String renamed(String text, Map<String, String> names) {
        StringBuilder renamed = new StringBuilder();
        int done = 0;
        try {
            for (SqlText.Token token : SqlText.tokens(text, name -> true)) {
                String name = token.column() ? names.get(token.content()) : null;
                if (name != null) {
                    renamed.append(text, done, token.from()).append(SqlText.quoted(name));
                    done = token.to();
                }
            }
        } catch (ExpressionException e) {
            // The parser reports it.
        }
        return renamed.append(text, done, text.length()).toString();
    }

    /** Returns the name of a type in messages. */
    static String named(FieldType type) {
        return switch (type) {
            case TEXT -> "text";
            case LONG, DOUBLE -> "a number";
            case BOOLEAN -> "true or false";
            case TIME -> "a time";
        };
    }

    static String advice(String name, Schema schema) {
        return instead(name, schema.fields().stream().map(Schema.Field::name).toList());
    }

    /** Returns what to write instead of a name, if it is like one of some others. */
    static String instead(String name, Collection<String> others) {
        if (name.length() < 3) {
            // Every short name is like another one.
            return "";
        }
        return Spelling.near(name, others)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }
}
