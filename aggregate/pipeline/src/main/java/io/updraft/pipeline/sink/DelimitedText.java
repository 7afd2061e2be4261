package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * CSV as in RFC 4180 but with line feeds, or the same with tabs. A missing value is written as nothing and empty text as {@code
 * ""}, so that readers can distinguish them.
 */
final class DelimitedText implements RowText {

    private final List<Field> fields;
    private final char delimiter;
    private final Values values = new Values("true", "false");

    DelimitedText(Schema columns, char delimiter) {
        this.fields = columns.fields();
        this.delimiter = delimiter;
    }

    @Override
    public void header(Utf8 out) {
        out.add(WINDOW[0]).add(delimiter).add(WINDOW[1]);
        for (Field field : fields) {
            byte[] name = field.name().getBytes(StandardCharsets.UTF_8);
            out.add(delimiter);
            text(name, 0, name.length, out);
        }
        out.add('\n');
    }

    @Override
    public void row(Window window, Row row, Utf8 out) {
        // The window of all records has no time.
        out.add(window.isAllTime() ? "" : values.time(window.start())).add(delimiter);
        out.add(window.isAllTime() ? "" : values.time(window.end())).add(delimiter);
        columns(row, 0, fields.size(), out);
        out.add('\n');
    }

    @Override
    public void columns(Row row, int from, int to, Utf8 out) {
        for (int slot = from; slot < to; slot++) {
            if (slot > from) {
                out.add(delimiter);
            }
            value(row, slot, out);
        }
    }

    private void value(Row row, int slot, Utf8 out) {
        if (Values.isText(row, slot)) {
            byte[] text = Values.text(row, slot);
            text(text, Values.textFrom(row, slot), Values.textLength(row, slot, text), out);
        } else if (row.has(slot)) {
            out.add(values.of(row, slot, fields.get(slot).type()));
        }
    }

    private void text(byte[] text, int from, int length, Utf8 out) {
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
        for (int i = from; i < from + length; i++) {
            byte c = text[i];
            if (c == delimiter || c == '"' || c == '\n' || c == '\r') {
                return false;
            }
        }
        return length > 0 && text[from] != ' ' && text[from + length - 1] != ' ';
    }
}
