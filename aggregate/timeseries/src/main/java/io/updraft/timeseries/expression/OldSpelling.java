package io.updraft.timeseries.expression;

import io.updraft.timeseries.expression.SqlText.Kind;
import io.updraft.timeseries.expression.SqlText.Token;
import java.util.List;
import java.util.function.Predicate;

/** Writes in SQL what versions before 0.3 wrote in their own way. */
final class OldSpelling {

    private final String text;
    private final List<Token> tokens;
    /** Whether bars are "or". */
    private final boolean or;

    private final StringBuilder sql = new StringBuilder();
    private int done;

    private OldSpelling(String text, Predicate<String> isColumn, boolean or) {
        this.text = text;
        this.tokens = SqlText.tokens(text, isColumn);
        this.or = or;
    }

    /** Returns the expression in SQL; as it is if nothing in it is old, or it is invalid. */
    static String renewed(String text, Predicate<String> isColumn, boolean or) {
        try {
            OldSpelling old = new OldSpelling(text, isColumn, or);
            for (int i = 0; i < old.tokens.size(); i++) {
                i = old.add(i);
            }
            return old.sql.append(text, old.done, text.length()).toString();
        } catch (ExpressionException e) {
            return text;
        }
    }

    /** Writes a token, or several. Returns the index of the last one. */
    private int add(int i) {
        Token token = tokens.get(i);
        int close = isCall(i) ? SqlText.close(tokens, i + 1) : -1;
        if (close >= 0 && token.isWord("exists")) {
            replace(token.from(), token.to(), "");
            for (int j = i + 1; j < close; j++) {
                j = add(j);
            }
            replace(tokens.get(close).from(), tokens.get(close).from(), " is not null");
            return close;
        }
        String bucket = close == i + 5 ? bucket(i) : null;
        if (bucket != null) {
            replace(token.from(), tokens.get(close).to(), bucket);
            return close;
        }
        String written = written(token);
        if (written != null) {
            replace(token.from(), token.to(), written);
        }
        return i;
    }

    private void replace(int from, int to, String written) {
        sql.append(text, done, from).append(written);
        done = to;
    }

    private boolean isCall(int i) {
        return tokens.get(i).kind() == Kind.NAME
                && i + 1 < tokens.size()
                && tokens.get(i + 1).is("(");
    }

    /** Returns {@code truncate(t, "5m")} in SQL; null if it is something else, or its intervals begin elsewhere. */
    private String bucket(int i) {
        Token span = tokens.get(i + 4);
        boolean isTruncate =
                tokens.get(i).isWord("truncate") && tokens.get(i + 3).is(",") && span.kind() == Kind.TEXT;
        Intervals.Interval interval = isTruncate ? Intervals.parse(span.content()) : null;
        if (interval == null || interval.millis() == 0 || CivilTime.DAY % interval.millis() != 0) {
            return null;
        }
        Token time = tokens.get(i + 2);
        String name = time.column() ? SqlText.quoted(time.content()) : time.content();
        String unit = span.content().replaceAll("[0-9]", "");
        String word = switch (unit) {
            case "ms" -> "millisecond";
            case "s" -> "second";
            case "m" -> "minute";
            case "h" -> "hour";
            default -> "day";
        };
        return "time_bucket(interval " + span.content().replaceAll("[a-z]", "") + " " + word + ", "
                + (time.kind() == Kind.NAME ? time.content() : name) + ")";
    }

    /** Returns a token in SQL; null if it is written so. */
    private String written(Token token) {
        char first = text.charAt(token.from());
        return switch (token.kind()) {
            case SIGN ->
                switch (token.content()) {
                    case "==" -> "=";
                    case "&&" -> "and";
                    case "!" -> "not ";
                    case "||" -> or ? "or" : null;
                    default -> null;
                };
            case TEXT -> first == '"' || isEscaped(token) ? SqlText.literal(token.content()) : null;
            case QUOTED_NAME -> first == '`' ? SqlText.quoted(token.content()) : null;
            default -> null;
        };
    }

    private boolean isEscaped(Token token) {
        return !text.substring(token.from(), token.to()).equals(SqlText.literal(token.content()));
    }
}
