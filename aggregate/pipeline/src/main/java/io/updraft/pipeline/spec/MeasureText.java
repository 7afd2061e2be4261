package io.updraft.pipeline.spec;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;

/**
 * Reads and writes measures: {@code sum(field)}, {@code count()} or {@code quantile(field, 0.99)}. A field's name may contain
 * spaces and pairs of parentheses. In backticks it may contain any other character.
 */
final class MeasureText {

    private final String text;
    private int at;

    private MeasureText(String text) {
        this.text = text;
    }

    /** Reads a measure. Throws {@link IllegalArgumentException} with one line that says what is wrong, and where. */
    static Measure read(String name, String text) {
        return new MeasureText(text).measure(name);
    }

    /** Writes the function of a measure as {@link #read} reads it. */
    static String write(Measure measure) {
        String field = measure.field() == null ? "" : measure.field();
        String plain = field.matches("[^(),`]*") ? field : "`" + field + "`";
        String share = measure.function() == AggregateFunction.QUANTILE ? ", " + measure.quantile() : "";
        return EnumText.write(measure.function()) + "(" + plain + share + ")";
    }

    private Measure measure(String name) {
        AggregateFunction function = function();
        String field = "";
        double share = Double.NaN;
        int open = at;
        if (isAt('(')) {
            at++;
            field = field();
            share = isAt(',') ? share(function) : share;
            if (!isAt(')')) {
                throw at < text.length()
                        ? flaw(at, "more than a field" + (isQuantile(function) ? " and a quantile" : ""))
                        : flaw(open, "no ) closes this (");
            }
            at++;
        } else if (function == AggregateFunction.COUNT && at == text.length()) {
            throw flaw(at, "count needs parentheses: count() counts records");
        }
        skipSpace();
        if (at < text.length()) {
            throw flaw(at, "text after the function: a measure is one function of one field, such as sum(field)");
        }
        check(function, field, share);
        return new Measure(name, function, field.isEmpty() ? null : field, isQuantile(function) ? share : 0);
    }

    private AggregateFunction function() {
        skipSpace();
        int start = at;
        while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        if (at == start) {
            throw flaw(at, "a measure begins with a function, such as sum(field) or count()");
        }
        AggregateFunction function = EnumText.parse(AggregateFunction.class, text.substring(start, at));
        skipSpace();
        return function;
    }

    private void check(AggregateFunction function, String field, double share) {
        String call = EnumText.write(function);
        if (field.equals("*")) {
            throw new IllegalArgumentException("'" + text + "': '*' is no field; count() counts records");
        }
        if (isQuantile(function) && Double.isNaN(share)) {
            throw new IllegalArgumentException(
                    "'" + text + "' needs a quantile from 0 to 1, such as quantile(field, 0.99)");
        }
        if (field.isEmpty() && function != AggregateFunction.COUNT) {
            throw new IllegalArgumentException("'" + text + "' needs a field, such as " + call + "(field"
                    + (isQuantile(function) ? ", 0.99" : "") + ")");
        }
    }

    private String field() {
        skipSpace();
        return isAt('`') ? quoted() : plain();
    }

    private String quoted() {
        int close = text.indexOf('`', at + 1);
        if (close < 0) {
            throw flaw(at, "no ` closes this name");
        }
        String name = text.substring(at + 1, close);
        at = close + 1;
        skipSpace();
        if (at < text.length() && !isAt(',') && !isAt(')')) {
            throw flaw(at, "text after the name of the field");
        }
        return name;
    }

    /** Reads to the comma or parenthesis that ends the name, which may be a path with names in brackets and quotes. */
    private String plain() {
        int start = at;
        int open = 0;
        while (at < text.length() && !(open == 0 && (isAt(',') || isAt(')')))) {
            open += isAt('(') ? 1 : isAt(')') ? -1 : 0;
            int inBrackets = text.startsWith("[\"", at) ? text.indexOf("\"]", at + 2) : -1;
            at = inBrackets < 0 ? at + 1 : inBrackets + 2;
        }
        return text.substring(start, at).strip();
    }

    private double share(AggregateFunction function) {
        int comma = at++;
        if (!isQuantile(function)) {
            throw flaw(comma, EnumText.write(function) + " has one field; a name with a comma stands in backticks");
        }
        skipSpace();
        int start = at;
        while (at < text.length() && !isAt(',') && !isAt(')')) {
            at++;
        }
        String share = text.substring(start, at).strip();
        if (!share.matches("[+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?") || Double.parseDouble(share) > 1) {
            throw flaw(start, "a quantile is a number from 0 to 1, not '" + share + "'");
        }
        return Double.parseDouble(share);
    }

    private static boolean isQuantile(AggregateFunction function) {
        return function == AggregateFunction.QUANTILE;
    }

    private boolean isAt(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException flaw(int position, String message) {
        return new IllegalArgumentException(message + ", at character " + (position + 1) + " of: " + text);
    }
}
