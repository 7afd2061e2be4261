package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.util.List;

/**
 * A type-checked expression. One thread only, because it computes in its own buffers and allocates nothing for a row. Its text
 * result may lie in these buffers, and is valid until the next evaluation.
 */
public abstract class Expression {

    private final FieldType type;

    Expression(FieldType type) {
        this.type = type;
    }

    /** {@return the type of the values} */
    public FieldType type() {
        return type;
    }

    boolean isNumber() {
        return type == FieldType.LONG || type == FieldType.DOUBLE;
    }

    /** Returns whether this is a time of day and date without a zone, as if it were UTC. */
    boolean isLocal() {
        return false;
    }

    /**
     * Computes the value.
     *
     * @param row the columns
     * @param result receives the value, or none
     */
    public abstract void evaluate(RecordRow row, ExpressionValue result);

    /** Changes a value in place. Not called without a value. */
    interface Step {
        void apply(ExpressionValue value);
    }

    /** Changes a value in place by another one. Not called without both values. */
    interface Pair {
        void apply(ExpressionValue value, ExpressionValue other);
    }

    /** Computes a value of some others. Not called unless all are there. */
    interface Many {
        void apply(ExpressionValue[] arguments, ExpressionValue result);
    }

    static Expression of(FieldType type, Expression operand, Step step) {
        return new Expression(type) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, result);
                if (result.present) {
                    step.apply(result);
                }
            }
        };
    }

    static Expression of(FieldType type, Expression left, Expression right, Pair pair) {
        return new Expression(type) {
            private final ExpressionValue other = new ExpressionValue();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                left.evaluate(row, result);
                right.evaluate(row, other);
                if (!result.present || !other.present) {
                    result.none();
                } else {
                    pair.apply(result, other);
                }
            }
        };
    }

    static Expression of(FieldType type, List<Expression> operands, Many many) {
        Expression[] all = operands.toArray(Expression[]::new);
        return new Expression(type) {
            private final ExpressionValue[] arguments = ExpressionValue.some(all.length);

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                for (int i = 0; i < all.length; i++) {
                    all[i].evaluate(row, arguments[i]);
                    if (!arguments[i].present) {
                        result.none();
                        return;
                    }
                }
                many.apply(arguments, result);
            }
        };
    }

    static final class Literal extends Expression {
        /** Null if it is no value. */
        final Object constant;

        private final ExpressionValue value = new ExpressionValue();

        Literal(FieldType type, Object constant) {
            super(type);
            this.constant = constant;
            if (constant == null) {
                value.none();
            } else {
                switch (type) {
                    case TEXT -> value.text((String) constant);
                    case DOUBLE -> value.real((Double) constant);
                    default -> value.whole((Long) constant);
                }
            }
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            result.copy(value);
        }
    }

    /** Returns whether this is the literal NULL, which takes the type of what stands beside it. */
    boolean isNull() {
        return this instanceof Literal literal && literal.constant == null;
    }

    static Expression none(FieldType type) {
        return new Literal(type, null);
    }

    static Expression slot(FieldType type, int slot) {
        return new Expression(type) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                result.read(row, slot);
            }
        };
    }

    /** Returns this number as a floating-point number. */
    Expression widened() {
        if (type == FieldType.DOUBLE || isNull()) {
            return isNull() ? none(FieldType.DOUBLE) : this;
        }
        if (this instanceof Literal literal) {
            return new Literal(FieldType.DOUBLE, ((Long) literal.constant).doubleValue());
        }
        return of(FieldType.DOUBLE, this, value -> value.real = value.whole);
    }

    /** Returns this time, marked as one without a zone. */
    Expression local() {
        Expression time = this;
        return new Expression(type) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                time.evaluate(row, result);
            }

            @Override
            boolean isLocal() {
                return true;
            }
        };
    }
}
