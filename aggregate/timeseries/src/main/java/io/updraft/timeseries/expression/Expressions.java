package io.updraft.timeseries.expression;

import io.updraft.base.text.Spelling;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.util.Collection;
import java.util.HashMap;
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

    /**
     * Parses the expression of a new column.
     *
     * @param name the name of the column
     * @param schema the columns before it
     * @throws ExpressionException when the expression is invalid, or there is a column of the name already
     */
    public static Expression column(String name, String text, Schema schema) {
        if (schema.has(name)) {
            throw new ExpressionException(text, 0, "there is a column " + name + " already");
        }
        return expression(text, schema);
    }

    /**
     * Parses an expression.
     *
     * @throws ExpressionException when it is invalid
     */
    public static Expression expression(String text, Schema schema) {
        return parsed(text, schema, false);
    }

    /**
     * Parses a condition.
     *
     * @throws ExpressionException when it is invalid, or neither true nor false
     */
    public static Expression condition(String text, Schema schema) {
        return parsed(text, schema, true);
    }

    /** Parses an expression. Reads {@code ||} as "or" if the text has no meaning otherwise. */
    private static Expression parsed(String text, Schema schema, boolean condition) {
        try {
            return checked(text, parsed(text, text, schema), condition);
        } catch (ExpressionException e) {
            String old = text.contains("||") ? withOr(text) : text;
            if (old.equals(text)) {
                throw e;
            }
            try {
                return checked(text, parsed(text, old, schema), condition);
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
        SqlPieces pieces = new SqlPieces(whole, SqlText.tokens(text, name -> columns.apply(name) != null));
        return new SqlCompiler(whole, pieces, schema, columns).compile(pieces.whole());
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

    /** {@return the names of the columns in an expression; of an invalid one, none} */
    public static Set<String> names(String text) {
        return SqlText.names(text);
    }

    /**
     * {@return the name of a column if an expression is nothing else; else null}
     *
     * @throws ExpressionException when the text has no tokens, or one that is invalid
     */
    public static String columnName(String text) {
        List<SqlText.Token> tokens = SqlText.tokens(text, name -> true);
        return tokens.size() == 1 && tokens.get(0).column() ? tokens.get(0).content() : null;
    }

    /** {@return a name of a column as an expression has it: in quotes if it is no plain word} */
    public static String written(String name) {
        boolean isPlain = name.matches("[A-Za-z_][A-Za-z_0-9.]*") && name.equals(columnName(name));
        return isPlain ? name : SqlText.quoted(name);
    }

    /**
     * {@return an expression with other names for some columns; an invalid one as it is}
     *
     * @param names the new names by the old ones
     */
    public static String renamed(String text, Map<String, String> names) {
        Map<String, String> quoted = new HashMap<>();
        names.forEach((old, name) -> quoted.put(old, SqlText.quoted(name)));
        return replaced(text, quoted);
    }

    /**
     * {@return an expression with other texts in place of some columns; an invalid one as it is}
     *
     * @param texts the texts by the names of the columns
     */
    public static String replaced(String text, Map<String, String> texts) {
        StringBuilder replaced = new StringBuilder();
        int done = 0;
        try {
            for (SqlText.Token token : SqlText.tokens(text, name -> true)) {
                String other = token.column() ? texts.get(token.content()) : null;
                if (other != null) {
                    replaced.append(text, done, token.from()).append(other);
                    done = token.to();
                }
            }
        } catch (ExpressionException e) {
            // The parser reports it.
        }
        return replaced.append(text, done, text.length()).toString();
    }

    /** Returns the name of a type in messages. */
    static String named(FieldType type) {
        return switch (type) {
            case TEXT -> "text";
            case LONG, DOUBLE, DECIMAL -> "a number";
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
