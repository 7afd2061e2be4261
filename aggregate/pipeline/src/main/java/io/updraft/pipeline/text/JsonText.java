package io.updraft.pipeline.text;

import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;

/**
 * An object in each line. A missing value is {@code null}. Floating-point numbers that JSON cannot express are the strings
 * {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}.
 */
public final class JsonText implements RowText {

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final Schema.Field[] fields;
    private final byte[][] names;
    private final ValueText values = new ValueText("true", "false");

    public JsonText(Schema columns) {
        this.fields = columns.fields().toArray(Schema.Field[]::new);
        this.names = new byte[fields.length][];
        for (int i = 0; i < fields.length; i++) {
            Utf8Buffer name = new Utf8Buffer();
            string(fields[i].name(), name);
            names[i] = name.add(':').toArray();
        }
    }

    @Override
    public void row(TimeWindow window, RecordRow row, Utf8Buffer out) {
        if (window.isAllTime()) {
            out.add("{\"window_start\":null,\"window_end\":null");
        } else {
            out.add("{\"window_start\":\"").add(values.time(window.start()));
            out.add("\",\"window_end\":\"").add(values.time(window.end())).add('"');
        }
        for (int slot = 0; slot < fields.length; slot++) {
            member(row, slot, out.add(','));
        }
        out.add('}').add('\n');
    }

    @Override
    public void columns(RecordRow row, int from, int to, Utf8Buffer out) {
        out.add('{');
        for (int slot = from; slot < to; slot++) {
            if (slot > from) {
                out.add(',');
            }
            member(row, slot, out);
        }
        out.add('}');
    }

    private void member(RecordRow row, int slot, Utf8Buffer out) {
        out.add(names[slot], 0, names[slot].length);
        value(row, slot, out);
    }

    public void value(RecordRow row, int slot, Utf8Buffer out) {
        if (ValueText.isText(row, slot)) {
            byte[] text = ValueText.text(row, slot);
            string(text, ValueText.textFrom(row, slot), ValueText.textLength(row, slot, text), out);
        } else if (row.has(slot)) {
            number(row, slot, out);
        } else {
            out.add("null");
        }
    }

    private void number(RecordRow row, int slot, Utf8Buffer out) {
        boolean bare = switch (fields[slot].type()) {
            case TIME -> false;
            case DOUBLE -> Double.isFinite(row.getDouble(slot));
            case TEXT, LONG, DECIMAL, BOOLEAN -> true;
        };
        if (!bare) {
            out.add('"');
        }
        values.add(row, slot, fields[slot], out);
        if (!bare) {
            out.add('"');
        }
    }

    /** Writes text as a JSON string, quotes included. */
    public static void string(String text, Utf8Buffer out) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        string(utf8, 0, utf8.length, out);
    }

    /** Writes text as a JSON string, quotes included. */
    public static void string(byte[] utf8, int from, int length, Utf8Buffer out) {
        out.add('"');
        if (TextBytes.isPlain(utf8, from, length, '"', '\\')) {
            out.add(utf8, from, length).add('"');
            return;
        }
        int begun = from;
        for (int i = from; i < from + length; i++) {
            int c = utf8[i];
            if (c == '"' || c == '\\' || c >= 0 && c < ' ') {
                out.add(utf8, begun, i - begun);
                escape(c, out);
                begun = i + 1;
            }
        }
        out.add(utf8, begun, from + length - begun).add('"');
    }

    private static void escape(int c, Utf8Buffer out) {
        switch (c) {
            case '"', '\\' -> out.add('\\').add(c);
            case '\n' -> out.add("\\n");
            case '\r' -> out.add("\\r");
            case '\t' -> out.add("\\t");
            default -> out.add("\\u00").add(HEX[c >> 4]).add(HEX[c & 15]);
        }
    }
}
