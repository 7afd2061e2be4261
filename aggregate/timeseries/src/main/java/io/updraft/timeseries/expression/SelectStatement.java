package io.updraft.timeseries.expression;

import io.updraft.timeseries.expression.SqlText.Kind;
import io.updraft.timeseries.expression.SqlText.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A SELECT statement as its clauses, whose expressions are not parsed yet. A clause that is left out is null, a list is empty.
 *
 * @param items the columns
 * @param from the table
 * @param groupBy the keys; {@code ALL} alone for all columns without aggregates
 */
public record SelectStatement(
        List<Item> items,
        From from,
        Part where,
        List<Part> groupBy,
        Part having,
        Qualify qualify,
        List<OrderItem> orderBy,
        Part limit) {

    /**
     * A part of the statement.
     *
     * @param from the index of its first character in the statement
     */
    public record Part(String text, int from) {}

    /**
     * A column.
     *
     * @param alias its name; null if it has none
     */
    public record Item(Part expression, Part alias) {}

    /** An order. */
    public record OrderItem(Part expression, boolean descending) {}

    /** The first rows of each set: {@code row_number() OVER (PARTITION BY per ORDER BY order) <= rows}. */
    public record Qualify(List<Part> per, List<OrderItem> order, Part rows) {}

    /**
     * A table.
     *
     * @param name the name, or the path of a file
     * @param isFile whether it is a path
     * @param function the function that reads the file, such as {@code read_csv}; null if it is not stated
     * @param options of this function, by their names
     * @param window null if there is none
     */
    public record From(Part name, boolean isFile, Part function, Map<String, Part> options, Window window) {}

    /**
     * The windows of {@code TUMBLE} or {@code HOP}.
     *
     * @param time the column with the time
     * @param slide null for {@code TUMBLE}
     * @param zone the name of a time zone; null if it is not stated
     */
    public record Window(Part function, Part time, Part slide, Part size, Part zone) {}

    /**
     * Splits a text into statements.
     *
     * @return the statements, each preceded by blanks in place of what is before it; comments are blanks
     */
    public static List<String> split(String text) {
        StringBuilder plain = new StringBuilder(text);
        List<String> statements = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < plain.length(); at++) {
            char c = plain.charAt(at);
            int end = at;
            if (c == '\'' || c == '"' || c == '`') {
                at = Math.max(at, plain.indexOf(String.valueOf(c), at + 1));
            } else if (plain.indexOf("--", at) == at) {
                end = plain.indexOf("\n", at);
                blank(plain, at, end < 0 ? plain.length() : end);
            } else if (plain.indexOf("/*", at) == at) {
                end = plain.indexOf("*/", at);
                blank(plain, at, end < 0 ? plain.length() : end + 2);
            } else if (c == ';') {
                add(plain, start, at, statements);
                start = at + 1;
            }
        }
        add(plain, start, plain.length(), statements);
        return statements;
    }

    private static void blank(StringBuilder text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) != '\n') {
                text.setCharAt(i, ' ');
            }
        }
    }

    private static void add(StringBuilder text, int from, int to, List<String> statements) {
        if (!text.substring(from, to).isBlank()) {
            StringBuilder before = new StringBuilder(text.substring(0, from));
            blank(before, 0, from);
            statements.add(before + text.substring(from, to));
        }
    }

    /**
     * Reads a statement.
     *
     * @throws ExpressionException when it is invalid, or has what is not supported
     */
    public static SelectStatement of(String text) {
        return new SelectReader(text).statement();
    }

    /** {@return whether two expressions are the same but for blanks and the case of words} */
    public static boolean areSame(String one, String other) {
        return areSame(SqlText.tokens(one, name -> true), SqlText.tokens(other, name -> true));
    }

    private static boolean areSame(List<Token> left, List<Token> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            Token a = left.get(i);
            Token b = right.get(i);
            boolean isText = a.kind() == Kind.TEXT || b.kind() == Kind.TEXT;
            boolean same = isText
                    ? a.kind() == b.kind() && a.content().equals(b.content())
                    : a.content().equalsIgnoreCase(b.content());
            if (!same) {
                return false;
            }
        }
        return true;
    }

    /**
     * {@return an expression with a name in place of another expression, wherever that stands as a whole: as a call, in parentheses, or
     * alone}
     */
    public static String withName(String text, String expression, String name) {
        List<Token> tokens = SqlText.tokens(text, each -> true);
        List<Token> other = SqlText.tokens(expression, each -> true);
        boolean isCall = other.size() > 2 && other.get(1).is("(") && SqlText.close(other, 1) == other.size() - 1;
        StringBuilder named = new StringBuilder();
        int done = 0;
        for (int i = 0; i + other.size() <= tokens.size(); i++) {
            int next = i + other.size();
            boolean isWhole = i == 0 && next == tokens.size()
                    || i > 0
                            && tokens.get(i - 1).is("(")
                            && next < tokens.size()
                            && tokens.get(next).is(")");
            if ((isCall || isWhole) && areSame(tokens.subList(i, next), other)) {
                named.append(text, done, tokens.get(i).from()).append(name);
                done = tokens.get(next - 1).to();
                i = next - 1;
            }
        }
        return named.append(text, done, text.length()).toString();
    }

    /** {@return whether an expression is a number without a point, as for a column's place in a list} */
    public static boolean isPlace(String text) {
        return text.matches("[1-9][0-9]{0,4}");
    }
}
