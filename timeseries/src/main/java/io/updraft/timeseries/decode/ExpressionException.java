package io.updraft.timeseries.decode;

/** An expression that is wrong; the message is one line that says what is wrong, and where. */
public final class ExpressionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** Characters of a longer expression that are shown before and after the mistake. */
    private static final int AROUND = 60;

    private final String expression;
    private final int position;

    ExpressionException(String expression, int position, String what) {
        super(what + ", at character " + (position + 1) + " of: " + around(expression, position));
        this.expression = expression;
        this.position = position;
    }

    private static String around(String expression, int position) {
        if (expression.length() <= 4 * AROUND) {
            return expression;
        }
        int from = Math.max(0, position - AROUND);
        int to = Math.min(expression.length(), position + AROUND);
        return (from > 0 ? "..." : "") + expression.substring(from, to) + (to < expression.length() ? "..." : "");
    }

    /** The whole expression. */
    public String expression() {
        return expression;
    }

    /** Where in the expression the mistake is: the index of a character. */
    public int position() {
        return position;
    }
}
