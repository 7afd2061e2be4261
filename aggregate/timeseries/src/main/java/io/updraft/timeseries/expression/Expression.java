package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;

/**
 * A type-checked expression. One thread only, because it computes in its own buffers and allocates nothing for a row. Its text
 * result may lie in these buffers, and is valid until the next evaluation.
 */
public abstract class Expression {

    private final FieldType type;

    Expression(FieldType type) {
        this.type = type;
    }

    public FieldType type() {
        return type;
    }

    boolean isNumber() {
        return type == FieldType.LONG || type == FieldType.DOUBLE;
    }

    public abstract void evaluate(RecordRow row, ExpressionValue result);

    /** A constant. */
    static final class Literal extends Expression {
        final Object constant;
        private final ExpressionValue value = new ExpressionValue();

        Literal(FieldType type, Object constant) {
            super(type);
            this.constant = constant;
            switch (type) {
                case TEXT -> value.text((String) constant);
                case DOUBLE -> value.real((Double) constant);
                default -> value.whole((Long) constant);
            }
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            switch (type()) {
                case TEXT -> result.text(value.bytes, value.from, value.length);
                case DOUBLE -> result.real(value.real);
                default -> result.whole(value.whole);
            }
        }
    }

    /** The value of a slot of the row. */
    static final class Slot extends Expression {
        final int slot;

        Slot(FieldType type, int slot) {
            super(type);
            this.slot = slot;
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            result.read(row, slot);
        }
    }

    /** Converts a whole number to a floating-point number. */
    static final class Widened extends Expression {
        private final Expression number;

        private Widened(Expression number) {
            super(FieldType.DOUBLE);
            this.number = number;
        }

        static Expression of(Expression number) {
            return number.type() == FieldType.DOUBLE ? number : new Widened(number);
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            number.evaluate(row, result);
            result.real = result.whole;
        }
    }
}
