package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.util.function.LongBinaryOperator;

/**
 * Expressions of numbers. A whole number that leaves 64 bits, or a DECIMAL that leaves 18 digits, has no value. Neither has a division by zero, and a floating-point
 * number that is infinite or none. Division by {@code /} gives a floating-point number.
 */
final class ArithmeticExpressions {

    /** A product with more digits after the point is a floating-point number: too few digits would be left before it. */
    private static final int MAX_PRODUCT_SCALE = 12;

    private ArithmeticExpressions() {}

    /** Computes in one method with a switch: a call for each operator would cost as much as the operator. */
    static Expression ofWhole(FieldType type, String operator, Expression left, Expression right) {
        char sign = operator.equals("//") ? 'd' : operator.charAt(0);
        return new Expression(type) {
            private final ExpressionValue y = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue x) {
                left.evaluate(row, x);
                right.evaluate(row, y);
                if (!x.present || !y.present) {
                    x.none();
                    return;
                }
                switch (sign) {
                    case '+' -> add(x, y.whole);
                    case '-' -> subtract(x, y.whole);
                    case '*' -> multiply(x, y.whole);
                    case 'd' -> divide(x, y.whole);
                    default -> settle(x, y.whole == 0 ? 0 : x.whole % y.whole, y.whole != 0);
                }
            }
        };
    }

    /** Computes exactly with decimals and whole numbers, as DuckDB does; returns null where the result is none. */
    static Expression ofDecimals(String operator, Expression anyLeft, Expression anyRight) {
        boolean isDecimal = anyLeft.type() == FieldType.DECIMAL || anyRight.type() == FieldType.DECIMAL;
        if (!isDecimal || !anyLeft.canBeExact() || !anyRight.canBeExact()) {
            return null;
        }
        Expression left = anyLeft.exact();
        Expression right = anyRight.exact();
        int scale = operator.equals("*") ? left.scale() + right.scale() : Math.max(left.scale(), right.scale());
        return switch (operator) {
            case "+", "-", "%" ->
                decimal(
                        scale,
                        ofWhole(FieldType.LONG, operator, left.scaled(scale, false), right.scaled(scale, false)));
            case "*" ->
                scale > MAX_PRODUCT_SCALE ? null : decimal(scale, ofWhole(FieldType.LONG, operator, left, right));
            default -> null;
        };
    }

    private static Expression decimal(int scale, Expression unscaled) {
        return Expression.of(FieldType.DECIMAL, scale, unscaled, x -> x.present = Decimals.fits(x.whole));
    }

    /** Returns an expression without the values that are too large for a DECIMAL, if it is one. */
    static Expression fitting(Expression any) {
        return any.type() == FieldType.DECIMAL ? decimal(any.scale(), any) : any;
    }

    static void add(ExpressionValue x, long y) {
        long sum = x.whole + y;
        settle(x, sum, ((x.whole ^ sum) & (y ^ sum)) >= 0);
    }

    static void subtract(ExpressionValue x, long y) {
        long difference = x.whole - y;
        settle(x, difference, ((x.whole ^ y) & (x.whole ^ difference)) >= 0);
    }

    private static void multiply(ExpressionValue x, long y) {
        long low = x.whole * y;
        settle(x, low, Math.multiplyHigh(x.whole, y) == low >> 63);
    }

    private static void divide(ExpressionValue x, long y) {
        boolean fits = y != 0 && !(x.whole == Long.MIN_VALUE && y == -1);
        settle(x, fits ? x.whole / y : 0, fits);
    }

    private static void settle(ExpressionValue x, long number, boolean exact) {
        x.whole = number;
        x.present = exact;
    }

    static Expression ofReal(String operator, Expression anyLeft, Expression anyRight) {
        Expression left = anyLeft.widened();
        Expression right = anyRight.widened();
        char sign = operator.charAt(0);
        return new Expression(FieldType.DOUBLE) {
            private final ExpressionValue y = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue x) {
                left.evaluate(row, x);
                right.evaluate(row, y);
                double number = switch (sign) {
                    case '+' -> x.real + y.real;
                    case '-' -> x.real - y.real;
                    case '*' -> x.real * y.real;
                    case '/' -> x.real / y.real;
                    default -> x.real % y.real;
                };
                x.present &= y.present && Double.isFinite(number);
                x.real = number;
            }
        };
    }

    static void real(ExpressionValue x, double number) {
        x.present = Double.isFinite(number);
        x.real = number;
    }

    /** Rounds a DECIMAL half away from zero, to some digits after the point; before it if they are negative. */
    static Expression rounded(Expression decimal, long digits) {
        int scale = (int) Math.max(0, Math.min(decimal.scale(), digits));
        int dropped = (int) Math.min(Decimals.MAX_DIGITS + 1, decimal.scale() - Math.min(decimal.scale(), digits));
        int zeros = dropped - (decimal.scale() - scale);
        return Expression.of(FieldType.DECIMAL, scale, decimal, x -> {
            boolean vanishes = dropped > Decimals.MAX_DIGITS;
            x.whole = vanishes ? 0 : Decimals.rounded(x.whole, dropped) * Decimals.power(zeros);
            x.present = Decimals.fits(x.whole);
        });
    }

    /** Returns the whole number next to a DECIMAL, as one without digits after the point. */
    static Expression whole(Expression decimal, LongBinaryOperator division) {
        long unit = Decimals.power(decimal.scale());
        return Expression.of(FieldType.DECIMAL, decimal, x -> x.whole = division.applyAsLong(x.whole, unit));
    }

    /** Rounds half away from zero, to some digits after the point; before it if they are negative. */
    static double rounded(double number, long digits) {
        double power = Math.pow(10, Math.abs(digits));
        double scaled = digits >= 0 ? number * power : number / power;
        double below = Math.floor(Math.abs(scaled));
        double whole = Math.copySign(Math.abs(scaled) - below >= 0.5 ? below + 1 : below, scaled);
        double result = digits >= 0 ? whole / power : whole * power;
        return Double.isFinite(result) ? result : digits >= 0 ? number : 0;
    }
}
