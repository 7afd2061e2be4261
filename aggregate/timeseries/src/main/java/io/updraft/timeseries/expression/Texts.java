package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Functions of texts in UTF-8. Positions and lengths are in code points, from 1, as in SQL. */
final class Texts {

    private Texts() {}

    /** Converts text to lower or upper case. Allocates only for letters beyond ASCII. */
    static Expression cased(boolean upper, Expression operand) {
        char first = upper ? 'a' : 'A';
        return Expression.of(FieldType.TEXT, operand, new Expression.Step() {
            private byte[] buffer = new byte[64];

            @Override
            public void apply(ExpressionValue value) {
                if (ascii(value)) {
                    value.text(buffer, 0, value.length);
                } else {
                    String text = value.string();
                    value.text(upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT));
                }
            }

            private boolean ascii(ExpressionValue value) {
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
        });
    }

    /**
     * Joins texts.
     *
     * @param skips whether those without a value are left out; if not, the result then has none
     * @param separator the text between them; null for none
     */
    static Expression concatenated(List<Expression> texts, boolean skips, Expression separator) {
        Expression[] parts = texts.toArray(Expression[]::new);
        return new Expression(FieldType.TEXT) {
            private final ExpressionValue value = new ExpressionValue();
            private final ExpressionValue between = new ExpressionValue();
            private final TextBuilder joined = new TextBuilder();

            @Override
            public void evaluate(RecordRow row, ExpressionValue result) {
                joined.clear();
                boolean isFirst = true;
                if (separator != null) {
                    separator.evaluate(row, between);
                }
                boolean isMissing = separator != null && !between.present;
                for (Expression part : parts) {
                    part.evaluate(row, value);
                    isMissing |= !value.present && !skips;
                    if (value.present) {
                        if (!isFirst && separator != null && between.present) {
                            joined.add(between);
                        }
                        joined.add(value);
                        isFirst = false;
                    }
                }
                joined.to(result);
                result.present = !isMissing;
            }
        };
    }

    static int length(ExpressionValue text) {
        int points = 0;
        for (int i = 0; i < text.length; i++) {
            points += isStart(text.bytes[text.from + i]) ? 1 : 0;
        }
        return points;
    }

    private static boolean isStart(byte b) {
        return (b & 0xc0) != 0x80;
    }

    /** Returns the index in the bytes of a code point, counted from 0. */
    private static int offset(ExpressionValue text, long point) {
        int at = 0;
        for (long left = point; left > 0 && at < text.length; left--) {
            do {
                at++;
            } while (at < text.length && !isStart(text.bytes[text.from + at]));
        }
        return at;
    }

    /** Keeps the part from a position, which counts from the end if it is negative. */
    static void part(ExpressionValue text, long position, long count) {
        long points = length(text);
        long begin = position < 0 ? points + position : position - 1;
        long end = count < 0 ? begin : Math.min(points, begin > Long.MAX_VALUE - count ? points : begin + count);
        long start = count < 0 ? Math.max(0, begin + count) : Math.max(0, begin);
        between(text, start, Math.max(start, end));
    }

    private static void between(ExpressionValue text, long start, long end) {
        int first = offset(text, start);
        int last = offset(text, end);
        text.from += first;
        text.length = last - first;
    }

    static void left(ExpressionValue text, long count) {
        between(text, 0, count < 0 ? Math.max(0, length(text) + count) : count);
    }

    static void right(ExpressionValue text, long count) {
        long points = length(text);
        between(text, count < 0 ? Math.min(points, -count) : Math.max(0, points - count), points);
    }

    /** Returns the index of the first occurrence in the bytes at or after an index; -1 if there is none. */
    static int indexOf(ExpressionValue text, ExpressionValue part, int from) {
        for (int i = from; i <= text.length - part.length; i++) {
            int at = text.from + i;
            if (Arrays.equals(text.bytes, at, at + part.length, part.bytes, part.from, part.from + part.length)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the position of the first occurrence, in code points from 1; 0 if there is none. */
    static long position(ExpressionValue text, ExpressionValue part) {
        int found = indexOf(text, part, 0);
        if (found < 0) {
            return 0;
        }
        int points = 1;
        for (int i = 0; i < found; i++) {
            points += isStart(text.bytes[text.from + i]) ? 1 : 0;
        }
        return points;
    }

    static boolean startsWith(ExpressionValue text, ExpressionValue part) {
        return text.length >= part.length && isAt(text, part, 0);
    }

    static boolean endsWith(ExpressionValue text, ExpressionValue part) {
        return text.length >= part.length && isAt(text, part, text.length - part.length);
    }

    private static boolean isAt(ExpressionValue text, ExpressionValue part, int index) {
        int at = text.from + index;
        return Arrays.equals(text.bytes, at, at + part.length, part.bytes, part.from, part.from + part.length);
    }

    /** Removes characters from the ends. */
    static void trim(ExpressionValue text, ExpressionValue characters, boolean left, boolean right) {
        int first = 0;
        int last = text.length;
        while (left && first < last && has(characters, text, first)) {
            first = next(text, first);
        }
        while (right && last > first) {
            int before = last - 1;
            while (before > first && !isStart(text.bytes[text.from + before])) {
                before--;
            }
            if (!has(characters, text, before)) {
                break;
            }
            last = before;
        }
        text.from += first;
        text.length = last - first;
    }

    private static int next(ExpressionValue text, int index) {
        int at = index + 1;
        while (at < text.length && !isStart(text.bytes[text.from + at])) {
            at++;
        }
        return at;
    }

    /** Returns whether the code point at an index of the bytes is among some. */
    private static boolean has(ExpressionValue characters, ExpressionValue text, int index) {
        int length = next(text, index) - index;
        for (int i = 0; i < characters.length; i = next(characters, i)) {
            int at = text.from + index;
            boolean same = next(characters, i) - i == length
                    && Arrays.equals(
                            text.bytes,
                            at,
                            at + length,
                            characters.bytes,
                            characters.from + i,
                            characters.from + i + length);
            if (same) {
                return true;
            }
        }
        return false;
    }

    /** Replaces each occurrence of a text. */
    static Expression.Many replacing() {
        TextBuilder replaced = new TextBuilder();
        return (arguments, result) -> {
            ExpressionValue text = arguments[0];
            ExpressionValue part = arguments[1];
            replaced.clear();
            int done = 0;
            for (int at = part.length == 0 ? -1 : indexOf(text, part, 0); at >= 0; at = indexOf(text, part, done)) {
                replaced.add(text.bytes, text.from + done, at - done).add(arguments[2]);
                done = at + part.length;
            }
            replaced.add(text.bytes, text.from + done, text.length - done).to(result);
        };
    }

    /** Keeps the part with a number, from 1, of those between separators; of none, the empty text. */
    static void split(ExpressionValue text, ExpressionValue separator, long number) {
        int parts = 1;
        for (int at = separator.length == 0 ? -1 : indexOf(text, separator, 0);
                at >= 0;
                at = indexOf(text, separator, at + separator.length)) {
            parts++;
        }
        long wanted = number < 0 ? parts + number + 1 : number;
        int from = 0;
        for (long i = 1; i < wanted && from >= 0; i++) {
            int at = separator.length == 0 ? -1 : indexOf(text, separator, from);
            from = at < 0 ? -1 : at + separator.length;
        }
        if (wanted < 1 || from < 0) {
            text.length = 0;
            return;
        }
        int to = separator.length == 0 ? -1 : indexOf(text, separator, from);
        text.from += from;
        text.length = (to < 0 ? text.length : to) - from;
    }

    /** Pads a text on a side, or cuts it, to a number of code points. */
    static Expression.Many padded(boolean left) {
        TextBuilder padded = new TextBuilder();
        return (arguments, result) -> {
            ExpressionValue text = arguments[0];
            ExpressionValue pad = arguments[2];
            long missing = arguments[1].whole - length(text);
            padded.clear();
            if (missing <= 0) {
                left(text, Math.max(0, arguments[1].whole));
                padded.add(text).to(result);
                return;
            }
            if (pad.length == 0 || missing > Limits.MAX_TEXT) {
                result.none();
                return;
            }
            if (!left) {
                padded.add(text);
            }
            for (int at = 0; missing > 0; missing--) {
                int end = next(pad, at);
                padded.add(pad.bytes, pad.from + at, end - at);
                at = end == pad.length ? 0 : end;
            }
            if (left) {
                padded.add(text);
            }
            padded.to(result);
        };
    }

    /** Repeats a text. */
    static Expression.Pair repeated() {
        TextBuilder repeated = new TextBuilder();
        return (text, count) -> {
            repeated.clear();
            if (count.whole > 0 && text.length > 0 && count.whole > Limits.MAX_TEXT / text.length) {
                text.none();
                return;
            }
            for (long i = 0; i < count.whole; i++) {
                repeated.add(text);
            }
            repeated.to(text);
        };
    }

    /** The limits of what an expression makes. */
    static final class Limits {
        /** The longest text that padding and repetition make, bytes; longer ones are no value. */
        static final int MAX_TEXT = 1 << 20;

        private Limits() {}
    }
}
