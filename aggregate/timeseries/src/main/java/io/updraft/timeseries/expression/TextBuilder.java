package io.updraft.timeseries.expression;

import java.util.Arrays;

/** A growing text in UTF-8, reused for each row. */
final class TextBuilder {

    byte[] bytes = new byte[64];
    int length;

    TextBuilder clear() {
        length = 0;
        return this;
    }

    TextBuilder add(byte[] from, int start, int count) {
        if (bytes.length < length + count) {
            bytes = Arrays.copyOf(bytes, Math.max(length + count, 2 * bytes.length));
        }
        System.arraycopy(from, start, bytes, length, count);
        length += count;
        return this;
    }

    TextBuilder add(ExpressionValue text) {
        return add(text.bytes, text.from, text.length);
    }

    void to(ExpressionValue result) {
        result.text(bytes, 0, length);
    }
}
