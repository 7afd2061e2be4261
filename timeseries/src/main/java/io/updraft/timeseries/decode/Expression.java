package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Row;

/**
 * A checked expression. One thread only: it computes in what it has, so that nothing is allocated for a row. The text that it
 * gives may lie in what it has, and is good until it is evaluated again.
 */
abstract class Expression {

    private final FieldType type;

    Expression(FieldType type) {
        this.type = type;
    }

    FieldType type() {
        return type;
    }

    boolean isNumber() {
        return type == FieldType.LONG || type == FieldType.DOUBLE;
    }

    abstract void evaluate(Row row, Value result);

    /** A constant. */
    static final class Literal extends Expression {
        final Object constant;
        private final Value value = new Value();

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
        void evaluate(Row row, Value result) {
            switch (type()) {
                case TEXT -> result.text(value.bytes, value.from, value.length);
                case DOUBLE -> result.real(value.real);
                default -> result.whole(value.whole);
            }
        }
    }

    /** What a slot of the row holds. */
    static final class Slot extends Expression {
        final int slot;

        Slot(FieldType type, int slot) {
            super(type);
            this.slot = slot;
        }

        @Override
        void evaluate(Row row, Value result) {
            result.read(row, slot);
        }
    }

    /** A whole number as a floating-point one. */
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
        void evaluate(Row row, Value result) {
            number.evaluate(row, result);
            result.real = result.whole;
        }
    }
}
