package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.util.ArrayList;
import java.util.List;

/**
 * Expressions that are true, false or, as in SQL, without a value. A comparison with a missing value has no value. "and" and
 * "or" have a value if one side decides it.
 */
final class ConditionExpressions {

    private ConditionExpressions() {}

    /** Compares two sides of one type, or a whole number and a DECIMAL. */
    static Expression compared(String operator, Expression left, Expression right) {
        List<Expression> two = scaled(List.of(left, right));
        return comparison(operator, two.get(0), two.get(1));
    }

    /** Returns whole numbers and decimals with the most digits after the point that one of them has, if one is a DECIMAL. */
    static List<Expression> scaled(List<Expression> values) {
        int scale = scale(values);
        return scale < 0
                ? values
                : values.stream().map(value -> value.scaled(scale, true)).toList();
    }

    /** Returns the most digits after the point of some decimals; -1 if none is one. */
    private static int scale(List<Expression> values) {
        int scale = -1;
        for (Expression value : values) {
            scale = Math.max(scale, value.type() == FieldType.DECIMAL ? value.scale() : -1);
        }
        return scale;
    }

    /** Returns whether one of some values equals the operand. */
    static Expression found(Expression operand, List<Expression> items) {
        int scale = scale(items);
        if (scale <= (operand.type() == FieldType.DECIMAL ? operand.scale() : -1) || operand.isNull()) {
            List<Expression> all = new ArrayList<>(List.of(operand));
            all.addAll(items);
            List<Expression> scaled = scaled(all);
            return in(scaled.get(0), scaled.subList(1, scaled.size()));
        }
        // Operand and item may both be too large for the digits of another item, but differ.
        return items.stream()
                .map(item -> compared("=", operand, item))
                .reduce((one, other) -> junction(true, one, other))
                .orElseThrow();
    }

    /** Compares two sides of one type. */
    static Expression comparison(String operator, Expression left, Expression right) {
        // The orders of the two sides for which the comparison is true.
        boolean less = operator.startsWith("<");
        boolean equal = operator.endsWith("=");
        boolean greater = operator.startsWith(">") || operator.equals("<>");
        FieldType type = left.type();
        return new Expression(FieldType.BOOLEAN) {
            private final ExpressionValue a = new ExpressionValue();
            private final ExpressionValue b = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                left.evaluate(row, a);
                right.evaluate(row, b);
                if (!a.present || !b.present) {
                    result.none();
                } else if (type == FieldType.DOUBLE) {
                    result.truth(a.real == b.real ? equal : a.real < b.real ? less : greater);
                } else {
                    int order = type == FieldType.TEXT ? textOrder() : Long.compare(a.whole, b.whole);
                    result.truth(order == 0 ? equal : order < 0 ? less : greater);
                }
            }

            private int textOrder() {
                // Most comparisons test equality, and most unequal texts differ in length.
                return less == greater ? (a.sameText(b) ? 0 : 1) : a.compareText(b);
            }
        };
    }

    /** Compares values of one type; two missing ones are the same. */
    static Expression distinct(Expression left, Expression right, boolean same) {
        Expression equality = comparison("=", left, right);
        return new Expression(FieldType.BOOLEAN) {
            private final ExpressionValue a = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                equality.evaluate(row, result);
                if (result.present) {
                    result.truth(result.whole != 0 == same);
                    return;
                }
                left.evaluate(row, a);
                boolean isMissing = !a.present;
                right.evaluate(row, a);
                result.truth((isMissing && !a.present) == same);
            }
        };
    }

    /** Returns whether one of some expressions of one type equals the operand. */
    static Expression in(Expression operand, List<Expression> items) {
        Expression[] list = items.toArray(Expression[]::new);
        FieldType type = operand.type();
        return new Expression(FieldType.BOOLEAN) {
            private final ExpressionValue value = new ExpressionValue();
            private final ExpressionValue other = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, value);
                boolean isUnknown = !value.present;
                for (int i = 0; i < list.length && value.present; i++) {
                    list[i].evaluate(row, other);
                    isUnknown |= !other.present;
                    if (other.present && isSame()) {
                        result.truth(true);
                        return;
                    }
                }
                result.truth(false);
                result.present = !isUnknown;
            }

            private boolean isSame() {
                return switch (type) {
                    case TEXT -> value.sameText(other);
                    case DOUBLE -> value.real == other.real;
                    default -> value.whole == other.whole;
                };
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
        return Expression.of(FieldType.BOOLEAN, operand, value -> value.whole ^= 1);
    }

    /** Returns whether there is a value. */
    static Expression exists(Expression operand) {
        return new Expression(FieldType.BOOLEAN) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, result);
                result.truth(result.present);
            }
        };
    }

    /** Returns whether there is a value, and it is the one that is asked for. */
    static Expression isTruth(Expression operand, boolean truth) {
        return new Expression(FieldType.BOOLEAN) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, result);
                result.truth(result.present && result.whole != 0 == truth);
            }
        };
    }

    /** Returns the first of some expressions of one type that has a value. */
    static Expression first(List<Expression> expressions) {
        Expression[] choices = expressions.toArray(Expression[]::new);
        return new Expression(choices[0].type(), choices[0].scale()) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                result.none();
                for (int i = 0; i < choices.length && !result.present; i++) {
                    choices[i].evaluate(row, result);
                }
            }
        };
    }

    /** Returns the value of the first case whose condition is true. All values have one type. */
    static Expression choice(List<Expression> conditions, List<Expression> values) {
        Expression[] when = conditions.toArray(Expression[]::new);
        Expression[] then = values.toArray(Expression[]::new);
        return new Expression(then[0].type(), then[0].scale()) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                for (int i = 0; i < when.length; i++) {
                    when[i].evaluate(row, result);
                    if (result.isTrue()) {
                        then[i].evaluate(row, result);
                        return;
                    }
                }
                then[when.length].evaluate(row, result);
            }
        };
    }

    /** Returns the least or the greatest of some expressions of one type; those without a value are left out. */
    static Expression extreme(boolean greatest, List<Expression> expressions) {
        Expression[] all = expressions.toArray(Expression[]::new);
        FieldType type = all[0].type();
        return new Expression(type, all[0].scale()) {
            private final ExpressionValue other = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                result.none();
                for (Expression each : all) {
                    each.evaluate(row, other);
                    if (other.present && (!result.present || order(result) > 0 == greatest && order(result) != 0)) {
                        result.copy(other);
                    }
                }
            }

            private int order(ExpressionValue best) {
                return switch (type) {
                    case TEXT -> other.compareText(best);
                    case DOUBLE -> Double.compare(other.real, best.real);
                    default -> Long.compare(other.whole, best.whole);
                };
            }
        };
    }
}
