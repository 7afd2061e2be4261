package io.updraft.timeseries.expression;

import io.updraft.base.text.Spelling;
import io.updraft.timeseries.expression.SqlText.Kind;
import io.updraft.timeseries.expression.SqlText.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A call of an aggregate function in an expression of groups, such as {@code sum(price * pieces) FILTER (WHERE paid)}.
 *
 * @param from the index at which it begins in the expression
 * @param to the index after it
 * @param function its name, in lower case
 * @param distinct whether equal values count once
 * @param arguments their texts; {@code *} alone for all rows
 * @param filter the condition of the rows that count; null for all
 */
public record AggregateCall(
        int from, int to, String function, boolean distinct, List<String> arguments, String filter) {

    /** Words before a parenthesis that are neither functions nor operators. */
    private static final Set<String> NO_FUNCTIONS = Set.of(
            "cast", "try_cast", "extract", "trim", "position", "substring", "interval", "filter", "over", "within");

    /**
     * Finds the calls in an expression.
     *
     * @param aggregates the names of the aggregate functions
     * @return the calls in their order
     * @throws ExpressionException when a call is incomplete, or has a form that is not supported
     */
    public static List<AggregateCall> in(String text, Set<String> aggregates) {
        List<Token> tokens = SqlText.tokens(text, name -> true);
        List<AggregateCall> calls = new ArrayList<>();
        for (int i = 0; i + 1 < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.kind() == Kind.NAME
                    && !token.column()
                    && tokens.get(i + 1).is("(")) {
                String name = token.content().toLowerCase(Locale.ROOT);
                if (aggregates.contains(name)) {
                    Finder finder = new Finder(text, tokens, aggregates);
                    calls.add(finder.call(i));
                    i = finder.last;
                } else {
                    checkName(text, token, name, aggregates);
                }
            }
        }
        return calls;
    }

    private static void checkName(String text, Token token, String name, Set<String> aggregates) {
        Set<String> functions = new TreeSet<>(Functions.names());
        if (token.isOperator() || NO_FUNCTIONS.contains(name) || functions.contains(name)) {
            return;
        }
        functions.addAll(aggregates);
        if (name.startsWith("percentile_")) {
            throw new ExpressionException(
                    text,
                    token.from(),
                    "there is no function " + name + "; write " + name.replace("percentile", "quantile")
                            + "(field, 0.5)");
        }
        throw new ExpressionException(
                text,
                token.from(),
                "there is no function " + token.content()
                        + Spelling.near(name, functions)
                                .map(near -> "; did you mean " + near + "?")
                                .orElse("; aggregate functions are " + String.join(", ", new TreeSet<>(aggregates))));
    }

    private static final class Finder {

        private final String text;
        private final List<Token> tokens;
        private final Set<String> aggregates;
        /** The index of the last token of the call. */
        private int last;

        Finder(String text, List<Token> tokens, Set<String> aggregates) {
            this.text = text;
            this.tokens = tokens;
            this.aggregates = aggregates;
        }

        AggregateCall call(int first) {
            Token function = tokens.get(first);
            int open = first + 1;
            last = SqlText.closed(text, tokens, open);
            int from = open + 1;
            boolean distinct = isWord(from, "distinct");
            from += distinct || isWord(from, "all") && !tokens.get(from).column() ? 1 : 0;
            List<String> arguments = arguments(from, last);
            String filter = filter();
            refuse("over", "window functions are not supported: the windows of results are those of 'every'");
            return new AggregateCall(
                    function.from(),
                    tokens.get(last).to(),
                    function.content().toLowerCase(Locale.ROOT),
                    distinct,
                    arguments,
                    filter);
        }

        private boolean isWord(int index, String word) {
            return index < tokens.size() && tokens.get(index).isWord(word);
        }

        private void refuse(String word, String reason) {
            if (isWord(last + 1, word)) {
                throw new ExpressionException(text, tokens.get(last + 1).from(), reason);
            }
        }

        private List<String> arguments(int from, int to) {
            List<String> arguments = new ArrayList<>();
            if (from < to) {
                for (SqlText.Range each : SqlText.separated(tokens, new SqlText.Range(from, to))) {
                    for (int i = each.from(); i < each.to(); i++) {
                        check(i);
                    }
                    arguments.add(part(each.from(), each.to(), tokens.get(each.to())));
                }
            }
            return arguments;
        }

        private void check(int i) {
            Token token = tokens.get(i);
            if (token.kind() != Kind.NAME || token.column()) {
                return;
            }
            if (isWord(i, "order") && isWord(i + 1, "by")) {
                throw new ExpressionException(
                        text,
                        token.from(),
                        "'order by' is not supported here: first and last go by the time of the rows");
            }
            if (tokens.get(i + 1).is("(") && aggregates.contains(token.content().toLowerCase(Locale.ROOT))) {
                throw new ExpressionException(
                        text, token.from(), "an aggregate function cannot be inside of another one");
            }
        }

        private String part(int from, int to, Token at) {
            if (from == to) {
                throw new ExpressionException(text, at.from(), "expected a value before this");
            }
            return text.substring(tokens.get(from).from(), tokens.get(to - 1).to());
        }

        private String filter() {
            int open = last + 2;
            if (!isWord(last + 1, "filter")
                    || open >= tokens.size()
                    || !tokens.get(open).is("(")) {
                return null;
            }
            int close = SqlText.closed(text, tokens, open);
            if (!isWord(open + 1, "where")) {
                throw new ExpressionException(
                        text, tokens.get(open).from(), "a filter is written as FILTER (WHERE condition)");
            }
            last = close;
            for (int i = open; i < close; i++) {
                check(i);
            }
            return part(open + 2, close, tokens.get(close));
        }
    }
}
