package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.Decimal;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.IsoTime;
import io.updraft.timeseries.record.RejectedRecordException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Conversions between types: {@code CAST}, whose failure rejects the record, and {@code TRY_CAST}, whose failure is no value. One
 * thread only.
 */
final class Casts {

    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    /** A number that begins or ends with its point. */
    private static final Pattern HALF = Pattern.compile("[-+]?([0-9]+\\.|\\.[0-9]+)([eE][-+]?[0-9]+)?");

    private final String name;
    private final boolean tries;
    private final Decimal decimal = new Decimal();
    private final TextBuilder text = new TextBuilder();
    private final CivilTime civil = new CivilTime();

    /** The number of digits after the point of the values. */
    private final int scale;
    /** The last number that became a decimal. */
    private long unscaled;

    private Casts(String name, boolean tries, int scale) {
        this.name = name;
        this.tries = tries;
        this.scale = scale;
    }

    /** Returns the type of the values that SQL's type has; null if there is no such type, or if it is DECIMAL. */
    static FieldType type(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "TEXT", "VARCHAR", "STRING", "CHAR", "BPCHAR", "CHARACTER VARYING" -> FieldType.TEXT;
            case "BIGINT",
                    "INT8",
                    "LONG",
                    "INTEGER",
                    "INT",
                    "INT4",
                    "SIGNED",
                    "SMALLINT",
                    "INT2",
                    "SHORT",
                    "TINYINT",
                    "INT1" -> FieldType.LONG;
            case "DOUBLE", "DOUBLE PRECISION", "FLOAT8", "FLOAT", "FLOAT4", "REAL" -> FieldType.DOUBLE;
            case "BOOLEAN", "BOOL", "LOGICAL" -> FieldType.BOOLEAN;
            case "TIMESTAMP", "DATETIME", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE", "DATE" -> FieldType.TIME;
            default -> null;
        };
    }

    private static long largest(String name) {
        return switch (name) {
            case "INTEGER", "INT", "INT4", "SIGNED" -> Integer.MAX_VALUE;
            case "SMALLINT", "INT2", "SHORT" -> Short.MAX_VALUE;
            case "TINYINT", "INT1" -> Byte.MAX_VALUE;
            default -> Long.MAX_VALUE;
        };
    }

    /**
     * Converts values.
     *
     * @param name the name of SQL's type
     * @param tries whether a value that cannot be converted is no value
     */
    static Expression cast(Expression any, String name, boolean tries) {
        FieldType to = type(name);
        if (any.isNull()) {
            return Expression.none(to);
        }
        Expression operand = to != FieldType.DOUBLE && any.canBeExact() ? any.exact() : any;
        Casts casts = new Casts(name.toUpperCase(Locale.ROOT), tries, operand.scale());
        FieldType from = operand.type();
        boolean isLocal = operand.isLocal();
        Expression converted = switch (to) {
            case TEXT -> from == to ? operand : Expression.of(to, operand, value -> casts.text(value, from, isLocal));
            case LONG -> casts.whole(operand, from);
            case DOUBLE -> from == to ? operand : Expression.of(to, operand, value -> casts.real(value, from));
            case BOOLEAN -> from == to ? operand : Expression.of(to, operand, value -> casts.truth(value, from));
            default -> casts.time(operand, from);
        };
        return isLocal && to == FieldType.TIME ? converted.local() : converted;
    }

    /**
     * Converts values to decimals, rounded half away from zero.
     *
     * @param digits the most digits, 1 to 18
     * @param after how many of them are after the point
     * @param tries whether a value that cannot be converted is no value
     */
    static Expression decimal(Expression operand, int digits, int after, boolean tries) {
        if (operand.isNull()) {
            return Expression.none(FieldType.DECIMAL, after);
        }
        Expression exact = operand.canBeExact() ? operand.exact() : operand;
        Casts casts = new Casts("DECIMAL(" + digits + ", " + after + ")", tries, exact.scale());
        return Expression.of(
                FieldType.DECIMAL, after, exact, value -> casts.decimal(value, exact.type(), digits, after));
    }

    private void decimal(ExpressionValue value, FieldType from, int digits, int after) {
        boolean fits = switch (from) {
            case TEXT -> isNumber(value) && decimal.isDecimal(after);
            case DOUBLE -> isDecimal(value.real, after);
            default -> isDecimal(value.whole, after);
        };
        long number = from == FieldType.TEXT ? decimal.value() : unscaled;
        if (fits && Math.abs(number) < Decimals.power(digits)) {
            value.whole(number);
        } else {
            failed(value, from);
        }
    }

    private boolean isDecimal(double number, int after) {
        // As DuckDB, which so rounds up what is only by its representation less than a half.
        double scaled = number * Decimals.power(after) + Math.signum(number) * 1e-9;
        unscaled = (long) Math.rint(scaled);
        return Math.abs(scaled) < Decimals.power(Decimals.MAX_DIGITS);
    }

    private boolean isDecimal(long number, int after) {
        if (after < scale) {
            unscaled = Decimals.rounded(number, scale - after);
            return true;
        }
        unscaled = number * Decimals.power(after - scale);
        return Math.multiplyHigh(number, Decimals.power(after - scale)) == unscaled >> 63 && Decimals.fits(unscaled);
    }

    /** Returns whether a conversion exists. */
    static boolean isPossible(FieldType from, FieldType to) {
        return from == to
                || to == FieldType.TEXT
                || from == FieldType.TEXT
                || from != FieldType.TIME && to != FieldType.TIME;
    }

    private void failed(ExpressionValue value, FieldType from) {
        if (!tries) {
            String shown = from == FieldType.TEXT
                    ? '\'' + shortened(value.string()) + '\''
                    : from == FieldType.DOUBLE ? Double.toString(value.real) : written(value.whole);
            throw new RejectedRecordException("cannot cast " + shown + " to " + name + "; TRY_CAST makes it NULL");
        }
        value.none();
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }

    private void text(ExpressionValue value, FieldType from, boolean isLocal) {
        text.clear();
        switch (from) {
            case BOOLEAN -> value.text(value.whole != 0 ? TRUE : FALSE, 0, value.whole != 0 ? 4 : 5);
            case TIME -> {
                civil.write(value.whole, text);
                if (!isLocal) {
                    text.add(new byte[] {'+', '0', '0'}, 0, 3);
                }
                text.to(value);
            }
            case DOUBLE -> value.text(written(value.real));
            default -> value.text(written(value.whole));
        }
    }

    private String written(long number) {
        return scale == 0
                ? Long.toString(number)
                : BigDecimal.valueOf(number, scale).toPlainString();
    }

    /** Writes a number as DuckDB does: an exponent of two digits at least, and only for very small and large ones. */
    static String written(double number) {
        String java = Double.toString(number);
        int e = java.indexOf('E');
        if (e < 0) {
            return java;
        }
        int exponent = Integer.parseInt(java.substring(e + 1));
        String digits = java.substring(0, e);
        if (exponent >= -4 && exponent < 16) {
            String plain = new BigDecimal(java).toPlainString();
            return plain.contains(".") ? plain : plain + ".0";
        }
        String mantissa = digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits;
        return mantissa + (exponent < 0 ? "e-" : "e+") + CivilTime.digits(Math.abs(exponent), 2);
    }

    private Expression whole(Expression operand, FieldType from) {
        long largest = largest(name);
        if (from == FieldType.LONG && largest == Long.MAX_VALUE) {
            return operand;
        }
        return Expression.of(FieldType.LONG, operand, value -> {
            switch (from) {
                case DOUBLE -> rounded(value);
                case TEXT -> wholeOfText(value);
                case DECIMAL -> value.whole = Decimals.rounded(value.whole, scale);
                default -> {}
            }
            if (value.present && (value.whole > largest || value.whole < -largest - 1)) {
                failed(value, FieldType.LONG);
            }
        });
    }

    /** Rounds to the nearest whole number, of two to the even one. */
    private void rounded(ExpressionValue value) {
        double nearest = Math.rint(value.real);
        if (nearest >= -0x1p63 && nearest < 0x1p63) {
            value.whole((long) nearest);
        } else {
            failed(value, FieldType.DOUBLE);
        }
    }

    private void wholeOfText(ExpressionValue value) {
        if (!isNumber(value)) {
            failed(value, FieldType.TEXT);
        } else if (decimal.isWhole()) {
            value.whole(decimal.value());
        } else {
            double rounded = ArithmeticExpressions.rounded(decimal.real(), 0);
            if (rounded >= -0x1p63 && rounded < 0x1p63) {
                value.whole((long) rounded);
            } else {
                failed(value, FieldType.TEXT);
            }
        }
    }

    private void real(ExpressionValue value, FieldType from) {
        if (from != FieldType.TEXT) {
            value.real(Decimals.real(value.whole, scale));
            return;
        }
        if (isNumber(value) && Double.isFinite(decimal.real())) {
            value.real(decimal.real());
        } else {
            failed(value, FieldType.TEXT);
        }
    }

    /** Parses a number. As text, it may have blanks at its ends, and need no digit on one side of the point. */
    private boolean isNumber(ExpressionValue value) {
        int from = value.from;
        int to = from + value.length;
        while (from < to && value.bytes[from] == ' ') {
            from++;
        }
        while (to > from && value.bytes[to - 1] == ' ') {
            to--;
        }
        if (decimal.text(value.bytes, from, to - from)) {
            return true;
        }
        String number = new String(value.bytes, from, to - from, StandardCharsets.UTF_8);
        if (!HALF.matcher(number).matches()) {
            return false;
        }
        boolean begins =
                number.indexOf('.') <= 1 && !Character.isDigit(number.charAt(Math.max(0, number.indexOf('.') - 1)));
        byte[] whole = number.replace(".", begins ? "0." : ".0").getBytes(StandardCharsets.US_ASCII);
        return decimal.text(whole, 0, whole.length);
    }

    private void truth(ExpressionValue value, FieldType from) {
        switch (from) {
            case LONG, DECIMAL -> value.truth(value.whole != 0);
            case DOUBLE -> value.truth(value.real != 0);
            default -> {
                String word = value.length > 5 ? "" : value.string().toLowerCase(Locale.ROOT);
                switch (word) {
                    case "true", "t", "1" -> value.truth(true);
                    case "false", "f", "0" -> value.truth(false);
                    default -> failed(value, FieldType.TEXT);
                }
            }
        }
    }

    private Expression time(Expression operand, FieldType from) {
        boolean isDate = name.equals("DATE");
        return Expression.of(FieldType.TIME, operand, value -> {
            if (from == FieldType.TEXT) {
                long millis = IsoTime.parse(value.bytes, value.from, value.length, ZoneOffset.UTC);
                if (millis == IsoTime.NONE) {
                    failed(value, FieldType.TEXT);
                    return;
                }
                value.whole(millis);
            }
            if (isDate) {
                value.whole -= Math.floorMod(value.whole, CivilTime.DAY);
            }
        });
    }
}
