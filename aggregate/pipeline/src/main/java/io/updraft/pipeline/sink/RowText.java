package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;

/** Writes results as text: a line for each group, with the start and end of the window before its columns. One thread. */
interface RowText {

    /** The columns before those of the query. */
    String[] WINDOW = {"window_start", "window_end"};

    /** Writes the header, if the format has one. */
    void header(Utf8 out);

    /** Writes a group as a line, including the line feed. */
    void row(Window window, Row row, Utf8 out);

    /** Returns the writer for a format of lines. */
    static RowText of(FileFormat format, Schema columns) {
        return switch (format) {
            case CSV -> new DelimitedText(columns, ',');
            case JSON -> new JsonText(columns);
            case PARQUET -> throw new IllegalArgumentException("Parquet is not a text format");
        };
    }
}
