package io.updraft.timeseries.expression;

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
    static final class Comparison extends Expression {
        /** The orders of the two sides for which the comparison is true. */
        private final boolean less;

        private final boolean equal;
        private final boolean greater;
        private final Expression left;
        private final Expression right;
        private final ExpressionValue a = new ExpressionValue();
        private final ExpressionValue b = new ExpressionValue();

        Comparison(String operator, Expression left, Expression right) {
            super(FieldType.BOOLEAN);
            this.less = operator.startsWith("<") || operator.equals("!=");
            this.equal = operator.endsWith("=") && !operator.equals("!=");
            this.greater = operator.startsWith(">") || operator.equals("!=");
            this.left = left;
            this.right = right;
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            left.evaluate(row, a);
            right.evaluate(row, b);
            if (!a.present || !b.present) {
                result.none();
            } else if (left.type() == FieldType.DOUBLE) {
                result.truth(holds(a.real, b.real));
            } else {
                result.truth(holds(left.type() == FieldType.TEXT ? textOrder() : Long.compare(a.whole, b.whole)));
            }
        }

        private int textOrder() {
            // Most comparisons test equality, and most unequal texts differ in length.
            return less == greater ? (a.sameText(b) ? 0 : 1) : a.compareText(b);
        }

        private boolean holds(int order) {
            return order == 0 ? equal : order < 0 ? less : greater;
        }

        private boolean holds(double x, double y) {
            return x == y ? equal : x < y ? less : greater;
        }
    }

    /** Tests whether a value is in a list. */
    static final class In extends Expression {
        private final Expression of;
        private final Expression[] list;
        private final ExpressionValue value = new ExpressionValue();
        private final ExpressionValue other = new ExpressionValue();

        In(Expression of, List<Expression> list) {
            super(FieldType.BOOLEAN);
            this.of = of;
            this.list = list.toArray(Expression[]::new);
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            of.evaluate(row, value);
            if (!value.present) {
                result.none();
                return;
            }
            boolean found = false;
            for (int i = 0; i < list.length && !found; i++) {
                list[i].evaluate(row, other);
                found = same();
            }
            result.truth(found);
        }

        private boolean same() {
            return switch (of.type()) {
                case TEXT -> value.sameText(other);
                case DOUBLE -> value.real == other.real;
                default -> value.whole == other.whole;
            };
        }
    }

    /** The conjunction or disjunction of two conditions. */
    static final class Junction extends Expression {
        private final boolean settledBy;
        private final Expression left;
        private final Expression right;
        private final ExpressionValue a = new ExpressionValue();

        /** Creates a disjunction, which is settled by a true side; else a conjunction, which is settled by a false one. */
        Junction(boolean settledBy, Expression left, Expression right) {
            super(FieldType.BOOLEAN);
            this.settledBy = settledBy;
            this.left = left;
            this.right = right;
        }

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
            return settledBy ? side.isTrue() : side.isFalse();
        }
    }

    /** The negation of a condition. */
    static final class Not extends Expression {
        private final Expression of;

        Not(Expression of) {
            super(FieldType.BOOLEAN);
            this.of = of;
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            of.evaluate(row, result);
            result.whole ^= 1;
        }
    }

    /** Tests whether an expression has a value. */
    static final class Exists extends Expression {
        private final Expression of;

        Exists(Expression of) {
            super(FieldType.BOOLEAN);
            this.of = of;
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            of.evaluate(row, result);
            result.truth(result.present);
        }
    }
}
