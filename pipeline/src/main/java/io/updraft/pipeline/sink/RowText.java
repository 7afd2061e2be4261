package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;

/** Results as text: a line for each group, the window's start and end before its columns. One thread. */
interface RowText {

    /** The columns that come before those of the query. */
    String[] WINDOW = {"window_start", "window_end"};

    /** What comes before all lines; nothing in some formats. */
    void header(Utf8 out);

    /** A group as a line, the line feed included. */
    void row(Window window, Row row, Utf8 out);

    /** Text of a format that has lines. */
    static RowText of(FileFormat format, Schema columns) {
        return switch (format) {
            case CSV -> new DelimitedText(columns, ',');
            case JSON -> new JsonText(columns);
            case PARQUET -> throw new IllegalArgumentException("Parquet is no text");
        };
    }
}
