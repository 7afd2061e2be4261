package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;

/**
 * Expressions of numbers and times. A whole number that leaves 64 bits has no value. Neither has a division by zero. Division
 * gives a floating-point number.
 */
final class ArithmeticExpressions {

    private ArithmeticExpressions() {}

    /** An operation on two whole numbers or times. */
    static final class OfWhole extends Expression {
        private final char operator;
        private final Expression left;
        private final Expression right;
        private final ExpressionValue b = new ExpressionValue();

        OfWhole(FieldType type, char operator, Expression left, Expression right) {
            super(type);
            this.operator = operator;
            this.left = left;
            this.right = right;
        }

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
                default -> remainder(result, b.whole);
            }
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

        private static void remainder(ExpressionValue x, long y) {
            settle(x, y == 0 ? 0 : x.whole % y, y != 0);
        }

        private static void settle(ExpressionValue x, long number, boolean exact) {
            x.whole = number;
            x.present = exact;
        }
    }

    /** An operation on two floating-point numbers. */
    static final class OfReal extends Expression {
        private final char operator;
        private final Expression left;
        private final Expression right;
        private final ExpressionValue b = new ExpressionValue();

        OfReal(char operator, Expression left, Expression right) {
            super(FieldType.DOUBLE);
            this.operator = operator;
            this.left = Widened.of(left);
            this.right = Widened.of(right);
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            left.evaluate(row, result);
            right.evaluate(row, b);
            double number = of(result.real, b.real);
            result.present &= b.present && Double.isFinite(number);
            result.real = number;
        }

        private double of(double x, double y) {
            return switch (operator) {
                case '+' -> x + y;
                case '-' -> x - y;
                case '*' -> x * y;
                case '/' -> x / y;
                default -> x % y;
            };
        }
    }

    /** Rounds a time down to a multiple of some milliseconds since 1970. */
    static final class Truncated extends Expression {
        private final Expression time;
        private final long millis;

        Truncated(Expression time, long millis) {
            super(FieldType.TIME);
            this.time = time;
            this.millis = millis;
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            time.evaluate(row, result);
            result.whole -= Math.floorMod(result.whole, millis);
        }
    }
}
