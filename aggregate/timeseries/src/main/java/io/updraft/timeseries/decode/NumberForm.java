package io.updraft.timeseries.decode;

/**
 * How people write the numbers of a column, such as {@code 1.234.567,89}. Immutable.
 *
 * @param decimal the sign before the fraction: a point or a comma
 * @param thousands the sign between groups of three digits; {@link #NO_GROUPS} for none. A number may be written without it
 */
public record NumberForm(char decimal, char thousands) {

    /** The grouping sign of numbers that have none. */
    public static final char NO_GROUPS = 0;

    /** The signs that may group digits; U+00A0 and U+202F are blanks at which no line breaks. */
    private static final String GROUPING = ".,'\u2019 \u00a0\u202f_";

    /**
     * Creates a form.
     *
     * @throws IllegalArgumentException when a sign is not possible
     */
    public NumberForm {
        if (decimal != '.' && decimal != ',') {
            throw new IllegalArgumentException("'decimal' must be . or , not '" + decimal + "'");
        }
        if (thousands != NO_GROUPS && GROUPING.indexOf(thousands) < 0) {
            throw new IllegalArgumentException(
                    "'thousands' must be . , ' \u2019 _ a blank, U+00A0 or U+202F, not '" + thousands + "'");
        }
        if (thousands == decimal) {
            throw new IllegalArgumentException("'decimal' and 'thousands' must differ, but both are " + decimal);
        }
    }

    /**
     * Reads a form.
     *
     * @param decimal the sign as text; null for a point, or for a comma if points group digits
     * @param thousands the sign as text; null for none
     * @return the form; null if both are null: numbers are then as JSON and CSV usually have them
     * @throws IllegalArgumentException when a text is not one possible sign
     */
    public static NumberForm parse(String decimal, String thousands) {
        if (decimal == null && thousands == null) {
            return null;
        }
        char group = thousands == null ? NO_GROUPS : sign("thousands", thousands);
        return new NumberForm(decimal != null ? sign("decimal", decimal) : group == '.' ? ',' : '.', group);
    }

    /** Returns a number of this form. */
    String example(boolean isWhole) {
        return "1" + (thousands == NO_GROUPS ? "" : thousands) + "234" + (isWhole ? "" : decimal + "5");
    }

    private static char sign(String key, String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("'" + key + "' must be one character, not '" + text + "'");
        }
        return text.charAt(0);
    }
}
