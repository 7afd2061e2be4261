package io.updraft.pipeline.run;

import io.updraft.pipeline.text.JsonText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.pipeline.text.ValueText;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.Arrays;
import java.util.List;

/**
 * Makes keys and values of rows that are routed, or written as late records or dead letters. The key of one field is its text,
 * as other producers write it; the key of several fields is a JSON array of their values. Not thread-safe.
 */
final class RouteText {

    private final JsonText json;
    private final ValueText values = new ValueText("true", "false");
    private final int[] slots;
    private final Schema.Field[] keys;
    private final int columns;
    private final Utf8Buffer buffer = new Utf8Buffer();

    public RouteText(Schema schema, List<String> key) {
        json = new JsonText(schema);
        columns = schema.fields().size();
        slots = key.stream().mapToInt(schema::slot).toArray();
        keys = Arrays.stream(slots).mapToObj(schema.fields()::get).toArray(Schema.Field[]::new);
    }

    /** Returns the key; empty for a single field without a value. */
    public byte[] key(RecordRow row) {
        buffer.clear();
        if (slots.length == 1) {
            plain(row);
        } else {
            buffer.add('[');
            for (int i = 0; i < slots.length; i++) {
                if (i > 0) {
                    buffer.add(',');
                }
                json.value(row, slots[i], buffer);
            }
            buffer.add(']');
        }
        return buffer.toArray();
    }

    private void plain(RecordRow row) {
        int slot = slots[0];
        if (ValueText.isText(row, slot)) {
            byte[] text = ValueText.text(row, slot);
            buffer.add(text, ValueText.textFrom(row, slot), ValueText.textLength(row, slot, text));
        } else if (row.has(slot)) {
            values.add(row, slot, keys[0], buffer);
        }
    }

    /** Returns a group of a window as a JSON object, in the form of results. */
    public byte[] group(TimeWindow window, RecordRow row) {
        buffer.clear();
        json.row(window, row, buffer);
        byte[] line = buffer.toArray();
        return Arrays.copyOf(line, line.length - 1);
    }

    public byte[] row(RecordRow row) {
        buffer.clear();
        json.columns(row, 0, columns, buffer);
        return buffer.toArray();
    }
}
