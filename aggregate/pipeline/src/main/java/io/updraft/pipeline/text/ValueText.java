package io.updraft.pipeline.text;

import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Converts values of rows to text. Not thread-safe. */
public final class ValueText {

    private final String trueText;
    private final String falseText;
    private final Utf8Buffer buffer = new Utf8Buffer();
    private long lastTime = Long.MIN_VALUE;
    private String lastText = Instant.ofEpochMilli(Long.MIN_VALUE).toString();
    private long earlierTime = lastTime;
    private String earlierText = lastText;

    public ValueText(String trueText, String falseText) {
        this.trueText = trueText;
        this.falseText = falseText;
    }

    /** Returns a number, time or boolean of a field as text. The slot must have a value that is not text. */
    public String of(RecordRow row, int slot, Schema.Field field) {
        buffer.clear();
        add(row, slot, field, buffer);
        return buffer.toString();
    }

    /** Adds a number, time or boolean of a field to a text. The slot must have a value that is not text. */
    public void add(RecordRow row, int slot, Schema.Field field, Utf8Buffer out) {
        if (row.kind(slot) == RecordRow.DOUBLE) {
            out.addNumber(row.getDouble(slot));
            return;
        }
        long value = row.getLong(slot);
        switch (field.type()) {
            case TIME -> out.add(time(value));
            case BOOLEAN -> out.add(value == 0 ? falseText : trueText);
            case DECIMAL -> out.addDecimal(value, field.scale());
            case TEXT, LONG, DOUBLE -> out.addNumber(value);
        }
    }

    /**
     * Returns a time in ISO 8601 in UTC, such as {@code 2013-01-01T05:00:00Z}. Caches two texts, since most rows of a result
     * repeat the start and end of a window.
     */
    public String time(long millis) {
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

    public static boolean isText(RecordRow row, int slot) {
        return row.kind(slot) == RecordRow.UTF8 || row.kind(slot) == RecordRow.STRING;
    }

    /** Returns an array with the bytes of a text slot. Copies only a value that is a string. */
    public static byte[] text(RecordRow row, int slot) {
        return row.kind(slot) == RecordRow.STRING ? row.string(slot).getBytes(StandardCharsets.UTF_8) : row.utf8(slot);
    }

    public static int textFrom(RecordRow row, int slot) {
        return row.kind(slot) == RecordRow.STRING ? 0 : row.from(slot);
    }

    /** Returns the number of bytes of a text slot; {@code text} is the result of {@link #text}. */
    public static int textLength(RecordRow row, int slot, byte[] text) {
        return row.kind(slot) == RecordRow.STRING ? text.length : row.length(slot);
    }
}
