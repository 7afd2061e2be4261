package io.updraft.timeseries.decode;

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
    static Expression cased(boolean upper, Expression operand) {
        char first = upper ? 'a' : 'A';
        return new Expression(FieldType.TEXT) {
            private final ExpressionValue value = new ExpressionValue();
            private byte[] buffer = new byte[64];

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                operand.evaluate(row, value);
                if (!value.present) {
                    result.none();
                } else if (ascii()) {
                    result.text(buffer, 0, value.length);
                } else {
                    String text = new String(value.bytes, value.from, value.length, StandardCharsets.UTF_8);
                    result.text(upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT));
                }
            }

            private boolean ascii() {
                if (buffer.length < value.length) {
                    buffer = new byte[Math.max(value.length, 2 * buffer.length)];
                }
                int bits = 0;
                for (int i = 0; i < value.length; i++) {
                    int c = value.bytes[value.from + i];
                    bits |= c;
                    buffer[i] = (byte) (c >= first && c < first + 26 ? c ^ 0x20 : c);
                }
                return bits >= 0;
            }
        };
    }

    static Expression concatenated(List<Expression> texts) {
        Expression[] parts = texts.toArray(Expression[]::new);
        return new Expression(FieldType.TEXT) {
            private final ExpressionValue value = new ExpressionValue();
            private byte[] buffer = new byte[64];
            private int length;

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
                result.text(buffer, 0, length);
            }

            private void append(FieldType type) {
                switch (type) {
                    case LONG -> value.text(Long.toString(value.whole));
                    case DOUBLE -> value.text(Double.toString(value.real));
                    case BOOLEAN -> value.text(value.whole != 0 ? "true" : "false");
                    default -> {}
                }
                if (buffer.length < length + value.length) {
                    buffer = Arrays.copyOf(buffer, Math.max(length + value.length, 2 * buffer.length));
                }
                System.arraycopy(value.bytes, value.from, buffer, length, value.length);
                length += value.length;
            }
        };
    }

    /** Returns the first of some expressions that has a value. All have one type. */
    static Expression first(List<Expression> expressions) {
        Expression[] choices = expressions.toArray(Expression[]::new);
        return new Expression(choices[0].type()) {
            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                result.none();
                for (int i = 0; i < choices.length && !result.present; i++) {
                    choices[i].evaluate(row, result);
                }
            }
        };
    }
}
