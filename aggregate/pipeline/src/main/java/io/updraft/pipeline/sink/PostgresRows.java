package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

/** Writes rows in the text format of PostgreSQL's COPY. */
final class PostgresRows {

    private static final int BLOCK = 1 << 16;
    /** PostgreSQL's text cannot contain the character NUL; its symbol U+2400 replaces it. */
    private static final byte[] NUL = "\u2400".getBytes(StandardCharsets.UTF_8);

    private final Field[] fields;
    private final Values values = new Values("t", "f");
    private final Utf8 buffer = new Utf8();

    PostgresRows(Schema columns) {
        fields = columns.fields().toArray(Field[]::new);
    }

    /** Copies all rows of a result. */
    void copy(WindowResult result, CopyManager manager, String command) throws SQLException, IOException {
        buffer.clear();
        CopyIn copy = manager.copyIn(command);
        try {
            result.forEach(row -> {
                add(result.window(), row);
                if (buffer.length() >= BLOCK) {
                    send(copy);
                }
            });
            send(copy);
            copy.endCopy();
        } catch (CopyFailed e) {
            throw e.cause;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    private void send(CopyIn copy) {
        try {
            byte[] bytes = buffer.toArray();
            copy.writeToCopy(bytes, 0, bytes.length);
            buffer.clear();
        } catch (SQLException e) {
            throw new CopyFailed(e);
        }
    }

    private void add(Window window, Row row) {
        buffer.add(values.time(window.start())).add('\t').add(values.time(window.end()));
        for (int slot = 0; slot < fields.length; slot++) {
            buffer.add('\t');
            value(row, slot);
        }
        buffer.add('\n');
    }

    private void value(Row row, int slot) {
        if (Values.isText(row, slot)) {
            byte[] text = Values.text(row, slot);
            text(text, Values.textFrom(row, slot), Values.textLength(row, slot, text));
        } else if (row.has(slot)) {
            buffer.add(values.of(row, slot, fields[slot].type()));
        } else {
            buffer.add("\\N");
        }
    }

    private void text(byte[] text, int from, int length) {
        for (int i = from; i < from + length; i++) {
            switch (text[i]) {
                case '\\' -> buffer.add("\\\\");
                case '\t' -> buffer.add("\\t");
                case '\n' -> buffer.add("\\n");
                case '\r' -> buffer.add("\\r");
                case 0 -> buffer.add(NUL, 0, NUL.length);
                default -> buffer.add(text[i]);
            }
        }
    }

    /** Carries an exception out of a consumer of rows. */
    private static final class CopyFailed extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final SQLException cause;

        CopyFailed(SQLException cause) {
            super(cause);
            this.cause = cause;
        }
    }
}
