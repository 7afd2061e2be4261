package io.updraft.pipeline.sink;

import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.TextBytes;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.pipeline.text.ValueText;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.PGCopyOutputStream;

/** Writes rows in the text format of PostgreSQL's COPY. Not thread-safe. */
final class PostgresCopyText implements RowText {

    /** Writes lines to a stream. */
    interface TextWriter {
        void writeTo(OutputStream out) throws IOException;
    }

    private final Schema.Field[] fields;
    private final ValueText values = new ValueText("t", "f");
    private final Utf8Buffer buffer = new Utf8Buffer();

    PostgresCopyText(Schema columns) {
        fields = columns.fields().toArray(Schema.Field[]::new);
    }

    void copy(WindowResult result, CopyManager manager, String command) throws SQLException, IOException {
        buffer.clear();
        copy(manager, command, out -> rows(result, buffer, out));
    }

    byte[] line(TimeWindow window, RecordRow row) {
        buffer.clear();
        row(window, row, buffer);
        return buffer.toArray();
    }

    /** Copies text that is written in this format. */
    static void copy(CopyManager manager, String command, TextWriter text) throws SQLException, IOException {
        CopyIn copy = manager.copyIn(command);
        try {
            OutputStream out = new PGCopyOutputStream(copy);
            text.writeTo(out);
            out.flush();
            copy.endCopy();
        } catch (IOException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw e;
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    @Override
    public void row(TimeWindow window, RecordRow row, Utf8Buffer out) {
        out.add(values.time(window.start())).add('\t').add(values.time(window.end()));
        out.add('\t');
        columns(row, 0, fields.length, out);
        out.add('\n');
    }

    @Override
    public void columns(RecordRow row, int from, int to, Utf8Buffer out) {
        for (int slot = from; slot < to; slot++) {
            value(row, slot, slot > from ? out.add('\t') : out);
        }
    }

    private void value(RecordRow row, int slot, Utf8Buffer out) {
        if (ValueText.isText(row, slot)) {
            byte[] text = ValueText.text(row, slot);
            text(text, ValueText.textFrom(row, slot), ValueText.textLength(row, slot, text), out);
        } else if (row.has(slot)) {
            values.add(row, slot, fields[slot], out);
        } else {
            out.add("\\N");
        }
    }

    private static void text(byte[] text, int from, int length, Utf8Buffer out) {
        if (TextBytes.isPlain(text, from, length, '\\', '\\')) {
            out.add(text, from, length);
            return;
        }
        for (int i = from; i < from + length; i++) {
            switch (text[i]) {
                case '\\' -> out.add("\\\\");
                case '\t' -> out.add("\\t");
                case '\n' -> out.add("\\n");
                case '\r' -> out.add("\\r");
                default -> out.add(text[i]);
            }
        }
    }
}
