package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.RecordSink;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Puts aside what is in no result, if somebody wants it. */
final class RecordSinkAside implements Aside, AutoCloseable {

    private final RecordSink bad;
    private final RecordSink late;

    /** Either may be null: then it is only counted. */
    RecordSinkAside(RecordSink bad, RecordSink late) {
        this.bad = bad;
        this.late = late;
    }

    @Override
    public void bad(String unit, long position, byte[] bytes, int from, int length, String reason) {
        if (bad != null) {
            bad.accept(unit, position, reason, bytes, from, length);
        }
    }

    @Override
    public void late(String unit, long position, Row row, long time) {
        if (late != null) {
            byte[] text = text(row).getBytes(StandardCharsets.UTF_8);
            late.accept(
                    unit,
                    position,
                    "late: windows of " + Instant.ofEpochMilli(time) + " are closed",
                    text,
                    0,
                    text.length);
        }
    }

    /** The row as it was decoded: the record that it was made of may hold others that are not late. */
    private static String text(Row row) {
        Schema schema = row.schema();
        StringBuilder text = new StringBuilder("{");
        for (int slot = 0; slot < schema.size(); slot++) {
            text.append(slot == 0 ? "" : ",");
            quote(schema.fields().get(slot).name(), text);
            text.append(':');
            Object value = row.value(slot);
            if (value instanceof String string) {
                quote(string, text);
            } else {
                text.append(value);
            }
        }
        return text.append('}').toString();
    }

    private static void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    @Override
    public void close() {
        if (bad != null) {
            bad.close();
        }
        if (late != null && late != bad) {
            late.close();
        }
    }
}
