package io.updraft.timeseries.expression;

/** Thrown for an invalid expression. The message is one line that says what is wrong, and where. */
public final class ExpressionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    /** The characters of a longer expression that are shown before and after the error. */
    private static final int AROUND = 60;

    private final String expression;
    private final int position;
    private final String flaw;

    /**
     * Creates an exception.
     *
     * @param position the index of the mistake in the expression
     */
    public ExpressionException(String expression, int position, String message) {
        super(message + ", at character " + (position + 1) + " of: " + around(expression, position));
        this.expression = expression;
        this.position = position;
        this.flaw = message;
    }

    private static String around(String expression, int position) {
        if (expression.length() <= 4 * AROUND) {
            return expression;
        }
        int from = Math.max(0, position - AROUND);
        int to = Math.min(expression.length(), position + AROUND);
        return (from > 0 ? "..." : "") + expression.substring(from, to) + (to < expression.length() ? "..." : "");
    }

    /** Returns the index of the mistake in the expression. */
    public int position() {
        return position;
    }

    /** Returns what is wrong, without the place. */
    public String flaw() {
        return flaw;
    }

    /** Returns the whole expression. */
    public String expression() {
        return expression;
    }
}
