package io.updraft.pipeline.text;

import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;

/**
 * CSV as in RFC 4180 but with line feeds, or the same with tabs. A missing value is written as nothing and empty text as {@code
 * ""}, so that readers can distinguish them.
 */
final class DelimitedText implements RowText {

    private final Schema.Field[] fields;
    private final char delimiter;
    private final ValueText values = new ValueText("true", "false");

    public DelimitedText(Schema columns, char delimiter) {
        this.fields = columns.fields().toArray(Schema.Field[]::new);
        this.delimiter = delimiter;
    }

    @Override
    public void header(Utf8Buffer out) {
        out.add(WINDOW[0]).add(delimiter).add(WINDOW[1]);
        for (Schema.Field field : fields) {
            byte[] name = field.name().getBytes(StandardCharsets.UTF_8);
            out.add(delimiter);
            text(name, 0, name.length, out);
        }
        out.add('\n');
    }

    @Override
    public void row(TimeWindow window, RecordRow row, Utf8Buffer out) {
        // The window of all records has no time.
        out.add(window.isAllTime() ? "" : values.time(window.start())).add(delimiter);
        out.add(window.isAllTime() ? "" : values.time(window.end())).add(delimiter);
        columns(row, 0, fields.length, out);
        out.add('\n');
    }

    @Override
    public void columns(RecordRow row, int from, int to, Utf8Buffer out) {
        for (int slot = from; slot < to; slot++) {
            if (slot > from) {
                out.add(delimiter);
            }
            value(row, slot, out);
        }
    }

    private void value(RecordRow row, int slot, Utf8Buffer out) {
        if (ValueText.isText(row, slot)) {
            byte[] text = ValueText.text(row, slot);
            text(text, ValueText.textFrom(row, slot), ValueText.textLength(row, slot, text), out);
        } else if (row.has(slot)) {
            values.add(row, slot, fields[slot], out);
        }
    }

    private void text(byte[] text, int from, int length, Utf8Buffer out) {
        if (isPlain(text, from, length)) {
            out.add(text, from, length);
            return;
        }
        out.add('"');
        for (int i = from; i < from + length; i++) {
            if (text[i] == '"') {
                out.add('"');
            }
            out.add(text[i]);
        }
        out.add('"');
    }

    private boolean isPlain(byte[] text, int from, int length) {
        return length > 0
                && text[from] != ' '
                && text[from + length - 1] != ' '
                && (TextBytes.isPlain(text, from, length, delimiter, '"') || needsNoQuotes(text, from, length));
    }

    private boolean needsNoQuotes(byte[] text, int from, int length) {
        for (int i = from; i < from + length; i++) {
            byte c = text[i];
            if (c == delimiter || c == '"' || c == '\n' || c == '\r') {
                return false;
            }
        }
        return true;
    }
}
