package io.updraft.pipeline.sink;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Row;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Converts values of rows to text. One thread. */
final class Values {

    private final String trueText;
    private final String falseText;
    private long lastTime = Long.MIN_VALUE;
    private String lastText = Instant.ofEpochMilli(Long.MIN_VALUE).toString();
    private long earlierTime = lastTime;
    private String earlierText = lastText;

    Values(String trueText, String falseText) {
        this.trueText = trueText;
        this.falseText = falseText;
    }

    /** Returns a number, time or boolean as text. The slot must have a value that is not text. */
    String of(Row row, int slot, FieldType type) {
        if (row.kind(slot) == Row.DOUBLE) {
            return Double.toString(row.getDouble(slot));
        }
        long value = row.getLong(slot);
        return switch (type) {
            case TIME -> time(value);
            case BOOLEAN -> value == 0 ? falseText : trueText;
            case TEXT, LONG, DOUBLE -> Long.toString(value);
        };
    }

    /**
     * Returns a time in ISO 8601 in UTC, such as {@code 2013-01-01T05:00:00Z}. Caches two texts, since most rows of a result
     * repeat the start and end of a window.
     */
    String time(long millis) {
        if (millis == earlierTime) {
            return earlierText;
        }
        if (millis != lastTime) {
            earlierTime = lastTime;
            earlierText = lastText;
            lastText = Instant.ofEpochMilli(millis).toString();
            lastTime = millis;
        }
        return lastText;
    }

    static boolean isText(Row row, int slot) {
        return row.kind(slot) == Row.UTF8 || row.kind(slot) == Row.STRING;
    }

    /** Returns an array with the bytes of a text slot. Copies only a value that is a string. */
    static byte[] text(Row row, int slot) {
        return row.kind(slot) == Row.STRING ? row.string(slot).getBytes(StandardCharsets.UTF_8) : row.utf8(slot);
    }

    static int textFrom(Row row, int slot) {
        return row.kind(slot) == Row.STRING ? 0 : row.from(slot);
    }

    /** Returns the number of bytes of a text slot; {@code text} is the result of {@link #text}. */
    static int textLength(Row row, int slot, byte[] text) {
        return row.kind(slot) == Row.STRING ? text.length : row.length(slot);
    }
}
