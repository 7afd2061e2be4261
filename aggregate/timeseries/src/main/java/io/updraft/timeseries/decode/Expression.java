package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;

/**
 * A type-checked expression. One thread only, because it computes in its own buffers and allocates nothing for a row. Its text
 * result may lie in these buffers, and is valid until the next evaluation.
 */
abstract class Expression {

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
        Expression number = this;
        return type == FieldType.DOUBLE
                ? this
                : new Expression(FieldType.DOUBLE) {
                    @Override
                    public void evaluate(RecordRow row, ExpressionValue result) {
                        number.evaluate(row, result);
                        result.real = result.whole;
                    }
                };
    }
}
