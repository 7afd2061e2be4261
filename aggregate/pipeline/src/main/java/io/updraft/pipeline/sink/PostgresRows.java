package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.copy.PGCopyOutputStream;

/** Writes rows in the text format of PostgreSQL's COPY. */
final class PostgresRows implements RowText {

    /** PostgreSQL's text cannot contain the character NUL; its symbol U+2400 replaces it. */
    private static final byte[] NUL = "\u2400".getBytes(StandardCharsets.UTF_8);

    private final Field[] fields;
    private final Values values = new Values("t", "f");
    private final Utf8 buffer = new Utf8();

    PostgresRows(Schema columns) {
        fields = columns.fields().toArray(Field[]::new);
    }

    void copy(WindowResult result, CopyManager manager, String command) throws SQLException, IOException {
        buffer.clear();
        CopyIn copy = manager.copyIn(command);
        try {
            OutputStream out = new PGCopyOutputStream(copy);
            rows(result, buffer, out);
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
    public void row(Window window, Row row, Utf8 out) {
        out.add(values.time(window.start())).add('\t').add(values.time(window.end()));
        out.add('\t');
        columns(row, 0, fields.length, out);
        out.add('\n');
    }

    @Override
    public void columns(Row row, int from, int to, Utf8 out) {
        for (int slot = from; slot < to; slot++) {
            value(row, slot, slot > from ? out.add('\t') : out);
        }
    }

    private void value(Row row, int slot, Utf8 out) {
        if (Values.isText(row, slot)) {
            byte[] text = Values.text(row, slot);
            text(text, Values.textFrom(row, slot), Values.textLength(row, slot, text), out);
        } else if (row.has(slot)) {
            out.add(values.of(row, slot, fields[slot].type()));
        } else {
            out.add("\\N");
        }
    }

    private static void text(byte[] text, int from, int length, Utf8 out) {
        for (int i = from; i < from + length; i++) {
            switch (text[i]) {
                case '\\' -> out.add("\\\\");
                case '\t' -> out.add("\\t");
                case '\n' -> out.add("\\n");
                case '\r' -> out.add("\\r");
                case 0 -> out.add(NUL, 0, NUL.length);
                default -> out.add(text[i]);
            }
        }
    }
}
