package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Expressions with text results, and {@code coalesce}. */
final class TextExpressions {

    private TextExpressions() {}

    /** Converts text to lower or upper case. Allocates only for non-ASCII letters. */
    static final class Cased extends Expression {
        private final boolean upper;
        private final Expression of;
        private final ExpressionValue value = new ExpressionValue();
        private byte[] own = new byte[64];

        Cased(boolean upper, Expression of) {
            super(FieldType.TEXT);
            this.upper = upper;
            this.of = of;
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            of.evaluate(row, value);
            if (!value.present) {
                result.none();
            } else if (ascii()) {
                result.text(own, 0, value.length);
            } else {
                String text = new String(value.bytes, value.from, value.length, StandardCharsets.UTF_8);
                result.text(upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT));
            }
        }

        private boolean ascii() {
            if (own.length < value.length) {
                own = new byte[Math.max(value.length, 2 * own.length)];
            }
            char first = upper ? 'a' : 'A';
            int all = 0;
            for (int i = 0; i < value.length; i++) {
                int c = value.bytes[value.from + i];
                all |= c;
                own[i] = (byte) (c >= first && c < first + 26 ? c ^ 0x20 : c);
            }
            return all >= 0;
        }
    }

    /** Concatenates texts. */
    static final class Concatenated extends Expression {
        private final Expression[] parts;
        private final ExpressionValue value = new ExpressionValue();
        private byte[] own = new byte[64];
        private int length;

        Concatenated(List<Expression> parts) {
            super(FieldType.TEXT);
            this.parts = parts.toArray(Expression[]::new);
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            length = 0;
            for (Expression part : parts) {
                part.evaluate(row, value);
                if (!value.present) {
                    result.none();
                    return;
                }
                append(part.type());
            }
            result.text(own, 0, length);
        }

        private void append(FieldType type) {
            switch (type) {
                case LONG -> value.text(Long.toString(value.whole));
                case DOUBLE -> value.text(Double.toString(value.real));
                case BOOLEAN -> value.text(value.whole != 0 ? "true" : "false");
                default -> {}
            }
            if (own.length < length + value.length) {
                own = Arrays.copyOf(own, Math.max(length + value.length, 2 * own.length));
            }
            System.arraycopy(value.bytes, value.from, own, length, value.length);
            length += value.length;
        }
    }

    /** The first of some expressions that has a value. All have one type. */
    static final class First extends Expression {
        private final Expression[] choices;

        First(List<Expression> choices) {
            super(choices.get(0).type());
            this.choices = choices.toArray(Expression[]::new);
        }

        @Override
        public void evaluate(RecordRow row, ExpressionValue result) {
            result.none();
            for (int i = 0; i < choices.length && !result.present; i++) {
                choices[i].evaluate(row, result);
            }
        }
    }
}
