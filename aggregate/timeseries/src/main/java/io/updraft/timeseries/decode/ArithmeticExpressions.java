package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;

/**
 * Expressions of numbers and times. A whole number that leaves 64 bits has no value. Neither has a division by zero. Division
 * gives a floating-point number.
 */
final class ArithmeticExpressions {

    private ArithmeticExpressions() {}

    static Expression ofWhole(FieldType type, char operator, Expression left, Expression right) {
        return new Expression(type) {
            private final ExpressionValue b = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                left.evaluate(row, result);
                right.evaluate(row, b);
                if (!result.present || !b.present) {
                    result.none();
                    return;
                }
                switch (operator) {
                    case '+' -> add(result, b.whole);
                    case '-' -> subtract(result, b.whole);
                    case '*' -> multiply(result, b.whole);
                    default -> settle(result, b.whole == 0 ? 0 : result.whole % b.whole, b.whole != 0);
                }
            }
        };
    }

    private static void add(ExpressionValue x, long y) {
        long sum = x.whole + y;
        settle(x, sum, ((x.whole ^ sum) & (y ^ sum)) >= 0);
    }

    private static void subtract(ExpressionValue x, long y) {
        long difference = x.whole - y;
        settle(x, difference, ((x.whole ^ y) & (x.whole ^ difference)) >= 0);
    }

    private static void multiply(ExpressionValue x, long y) {
        long low = x.whole * y;
        settle(x, low, Math.multiplyHigh(x.whole, y) == low >> 63);
    }

    private static void settle(ExpressionValue x, long number, boolean exact) {
        x.whole = number;
        x.present = exact;
    }

    static Expression ofReal(char operator, Expression anyLeft, Expression anyRight) {
        Expression left = anyLeft.widened();
        Expression right = anyRight.widened();
        return new Expression(FieldType.DOUBLE) {
            private final ExpressionValue b = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                left.evaluate(row, result);
                right.evaluate(row, b);
                double number = switch (operator) {
                    case '+' -> result.real + b.real;
                    case '-' -> result.real - b.real;
                    case '*' -> result.real * b.real;
                    case '/' -> result.real / b.real;
                    default -> result.real % b.real;
                };
                result.present &= b.present && Double.isFinite(number);
                result.real = number;
            }
        };
    }

    /** Rounds a time down to a multiple of some milliseconds since 1970. */
    static Expression truncated(Expression time, long millis) {
        return new Expression(FieldType.TIME) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                time.evaluate(row, result);
                result.whole -= Math.floorMod(result.whole, millis);
            }
        };
    }
}
