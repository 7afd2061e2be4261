package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.math.BigDecimal;
import java.util.List;

/**
 * A type-checked expression. One thread only, because it computes in its own buffers and allocates nothing for a row. Its text
 * result may lie in these buffers, and is valid until the next evaluation.
 */
public abstract class Expression {

    private final FieldType type;
    private final int scale;

    Expression(FieldType type) {
        this(type, 0);
    }

    Expression(FieldType type, int scale) {
        this.type = type;
        this.scale = scale;
    }

    /** {@return the type of the values} */
    public FieldType type() {
        return type;
    }

    /** {@return a field that can have the values} */
    public Schema.Field field(String name) {
        return new Schema.Field(name, type, scale);
    }

    /** Returns the number of digits after the point of a DECIMAL; 0 for other types. */
    int scale() {
        return scale;
    }

    boolean isNumber() {
        return isExact() || type == FieldType.DOUBLE;
    }

    /** Returns whether this is a whole number or a DECIMAL. */
    boolean isExact() {
        return type == FieldType.LONG || type == FieldType.DECIMAL;
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
        return of(type, 0, operand, step);
    }

    static Expression of(FieldType type, int scale, Expression operand, Step step) {
        return new Expression(type, scale) {
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
        /** What a floating-point number is beside decimals; null if it is the same. */
        private final BigDecimal exact;

        private final ExpressionValue value = new ExpressionValue();

        Literal(FieldType type, Object constant) {
            this(type, 0, constant, null);
        }

        /** Creates a number that is a DECIMAL beside decimals, and else a floating-point number. */
        Literal(double number, BigDecimal exact) {
            this(FieldType.DOUBLE, 0, number, exact);
        }

        private Literal(FieldType type, int scale, Object constant, BigDecimal exact) {
            super(type, scale);
            this.constant = constant;
            this.exact = exact;
            if (constant == null) {
                value.none();
            } else {
                switch (type) {
                    case TEXT -> value.text((String) constant);
                    case DOUBLE -> value.real((Double) constant);
                    case DECIMAL ->
                        value.whole(((BigDecimal) constant).unscaledValue().longValueExact());
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
        return none(type, 0);
    }

    static Expression none(FieldType type, int scale) {
        return new Literal(type, scale, null, null);
    }

    static Expression slot(Schema.Field field, int slot) {
        return new Expression(field.type(), field.scale()) {
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
            return new Literal(FieldType.DOUBLE, ((Number) literal.constant).doubleValue());
        }
        return type == FieldType.LONG
                ? of(FieldType.DOUBLE, this, value -> value.real = value.whole)
                : of(FieldType.DOUBLE, this, value -> value.real = Decimals.real(value.whole, scale));
    }

    /** Returns whether this is a whole number, a DECIMAL, or a literal that is a DECIMAL beside decimals. */
    boolean canBeExact() {
        return isExact() || this instanceof Literal literal && literal.exact != null;
    }

    /** Returns this number as a whole number or a DECIMAL, which it must be able to be. */
    Expression exact() {
        return isExact() ? this : decimal(((Literal) this).exact);
    }

    static Expression decimal(BigDecimal number) {
        return new Literal(FieldType.DECIMAL, number.scale(), number, null);
    }

    /** Returns a literal with the other sign; null if this is none that is a DECIMAL beside decimals. */
    Expression negated() {
        return this instanceof Literal literal && literal.exact != null
                ? new Literal(-(Double) literal.constant, literal.exact.negate())
                : null;
    }

    /**
     * Returns this whole number or DECIMAL with as many digits after the point, or more.
     *
     * @param bounded whether a number that does not fit is greater, or less, than all others, as comparisons need it; else it is no
     *     value
     */
    Expression scaled(int digits, boolean bounded) {
        if (isNull()) {
            return none(FieldType.DECIMAL, digits);
        }
        if (type == FieldType.DECIMAL && scale == digits) {
            return this;
        }
        long unit = Decimals.power(digits - scale);
        long most = (Decimals.power(Decimals.MAX_DIGITS) - 1) / unit;
        return of(FieldType.DECIMAL, digits, this, value -> {
            if (value.whole <= most && value.whole >= -most) {
                value.whole *= unit;
            } else {
                value.present = bounded;
                value.whole = value.whole < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
            }
        });
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
