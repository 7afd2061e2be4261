package io.updraft.timeseries.decode;

/** An expression that is wrong; the message is one line that says what is wrong, and where. */
public final class ExpressionException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final int position;

    ExpressionException(String expression, int position, String what) {
        super(what + ", at character " + (position + 1) + " of: " + expression);
        this.position = position;
    }

    /** Where in the expression the mistake is: the index of a character. */
    public int position() {
        return position;
    }
}
