package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;

/** Parses the numbers and time spans of expressions. */
final class NumberLiterals {

    private NumberLiterals() {}

    static Expression literal(String digits, ExpressionLexer tokens, int from) {
        try {
            return digits.matches("-?[0-9]+")
                    ? new Expression.Literal(FieldType.LONG, Long.valueOf(digits))
                    : new Expression.Literal(FieldType.DOUBLE, real(digits));
        } catch (NumberFormatException e) {
            throw tokens.wrong(from, digits + " is not a number, or is too large");
        }
    }

    private static Double real(String digits) {
        if (!digits.matches("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?") || !Double.isFinite(Double.parseDouble(digits))) {
            throw new NumberFormatException();
        }
        return Double.valueOf(digits);
    }

    /** Returns the milliseconds of {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h} or {@code 1d}; 0 for any other text. */
    static long millis(String span) {
        if (!span.matches("[0-9]{1,9}(ms|s|m|h|d)")) {
            return 0;
        }
        String digits = span.replaceAll("[a-z]+", "");
        long unit = switch (span.substring(digits.length())) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> 86_400_000;
        };
        return Long.parseLong(digits) * unit;
    }
}
