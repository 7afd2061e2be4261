package io.updraft.timeseries.expression;

/** Thrown for an invalid expression. The message is one line that says what is wrong, and where. */
public final class ExpressionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** The characters of a longer expression that are shown before and after the error. */
    private static final int AROUND = 60;

    private final String expression;

    /**
     * Creates an exception.
     *
     * @param position the index of the mistake in the expression
     */
    public ExpressionException(String expression, int position, String message) {
        super(message + ", at character " + (position + 1) + " of: " + around(expression, position));
        this.expression = expression;
    }

    private static String around(String expression, int position) {
        if (expression.length() <= 4 * AROUND) {
            return expression;
        }
        int from = Math.max(0, position - AROUND);
        int to = Math.min(expression.length(), position + AROUND);
        return (from > 0 ? "..." : "") + expression.substring(from, to) + (to < expression.length() ? "..." : "");
    }

    /** Returns the whole expression. */
    public String expression() {
        return expression;
    }
}
