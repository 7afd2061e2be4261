package io.updraft.pipeline.text;

import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Writes results as text: a line for each group, with the start and end of the window before its columns. Not thread-safe. */
public interface RowText {

    /** The columns before those of the query. */
    String[] WINDOW = {"window_start", "window_end"};

    int BLOCK = 1 << 16;

    /** Writes the header, if the format has one. */
    default void header(Utf8Buffer out) {}

    /** Writes a group as a line, including the line feed. */
    void row(TimeWindow window, RecordRow row, Utf8Buffer out);

    /** Writes some columns, without a line feed. */
    void columns(RecordRow row, int from, int to, Utf8Buffer out);

    /** Writes the content of a buffer and then all rows, block by block. */
    default void rows(WindowResult result, Utf8Buffer buffer, OutputStream out) throws IOException {
        try {
            result.forEach(row -> {
                row(result.window(), row, buffer);
                if (buffer.length() >= BLOCK) {
                    buffer.moveTo(out);
                }
            });
            buffer.moveTo(out);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    static RowText delimited(Schema columns, char delimiter) {
        return new DelimitedText(columns, delimiter);
    }

    static RowText of(ResultFormat format, Schema columns) {
        return switch (format) {
            case CSV -> delimited(columns, ',');
            case JSON -> new JsonText(columns);
            case PARQUET -> throw new IllegalArgumentException("Parquet is not a text format");
        };
    }
}
