package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.util.List;

/**
 * Expressions that are true, false or, as in SQL, without a value. A comparison with a missing value has no value. "and" and
 * "or" have a value if one side decides it.
 */
final class ConditionExpressions {

    private ConditionExpressions() {}

    /** Compares two sides of one type. */
    static Expression comparison(String operator, Expression left, Expression right) {
        // The orders of the two sides for which the comparison is true.
        boolean less = operator.startsWith("<") || operator.equals("!=");
        boolean equal = operator.endsWith("=") && !operator.equals("!=");
        boolean greater = operator.startsWith(">") || operator.equals("!=");
        return new Expression(FieldType.BOOLEAN) {
            private final ExpressionValue a = new ExpressionValue();
            private final ExpressionValue b = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                left.evaluate(row, a);
                right.evaluate(row, b);
                if (!a.present || !b.present) {
                    result.none();
                } else if (left.type() == FieldType.DOUBLE) {
                    result.truth(a.real == b.real ? equal : a.real < b.real ? less : greater);
                } else {
                    int order = left.type() == FieldType.TEXT ? textOrder() : Long.compare(a.whole, b.whole);
                    result.truth(order == 0 ? equal : order < 0 ? less : greater);
                }
            }

            private int textOrder() {
                // Most comparisons test equality, and most unequal texts differ in length.
                return less == greater ? (a.sameText(b) ? 0 : 1) : a.compareText(b);
            }
        };
    }

    static Expression in(Expression operand, List<Expression> literals) {
        Expression[] list = literals.toArray(Expression[]::new);
        return new Expression(FieldType.BOOLEAN) {
            private final ExpressionValue value = new ExpressionValue();
            private final ExpressionValue other = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, value);
                if (!value.present) {
                    result.none();
                    return;
                }
                boolean found = false;
                for (int i = 0; i < list.length && !found; i++) {
                    list[i].evaluate(row, other);
                    found = switch (operand.type()) {
                        case TEXT -> value.sameText(other);
                        case DOUBLE -> value.real == other.real;
                        default -> value.whole == other.whole;
                    };
                }
                result.truth(found);
            }
        };
    }

    /** Returns a disjunction, which is settled by a true side; else a conjunction, which is settled by a false one. */
    static Expression junction(boolean settledBy, Expression left, Expression right) {
        return new Expression(FieldType.BOOLEAN) {
            private final ExpressionValue a = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                left.evaluate(row, a);
                if (settles(a)) {
                    result.truth(settledBy);
                    return;
                }
                right.evaluate(row, result);
                if (!settles(result) && !a.present) {
                    result.none();
                }
            }

            private boolean settles(ExpressionValue side) {
                return side.present && settledBy == (side.whole != 0);
            }
        };
    }

    static Expression not(Expression operand) {
        return new Expression(FieldType.BOOLEAN) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, result);
                result.whole ^= 1;
            }
        };
    }

    static Expression exists(Expression operand) {
        return new Expression(FieldType.BOOLEAN) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, result);
                result.truth(result.present);
            }
        };
    }
}
