package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;

/**
 * Results on standard output.
 *
 * @param style the style of the output
 * @param maxRows the most rows of a window in a table; a line reports how many more there are. Other styles show all rows
 */
public record ConsoleSinkOptions(Style style, int maxRows) implements SinkOptions {

    /** The style of the output. */
    public enum Style {
        /** Aligned columns, with a heading for each window. */
        TABLE,
        /** Separated by tabs, after a header line. */
        TSV,
        /** Separated by commas, after a header line. */
        CSV,
        /** An object in each line. */
        JSON
    }

    /** Checks the values. Throws an {@link IllegalArgumentException} when {@code maxRows} is not positive. */
    public ConsoleSinkOptions {
        if (maxRows < 1) {
            throw new IllegalArgumentException("a table shows at least one row, not " + maxRows);
        }
    }

    /** Returns options for tables of at most 40 rows. */
    public static ConsoleSinkOptions table() {
        return new ConsoleSinkOptions(Style.TABLE, 40);
    }

    @Override
    public ResultSink sink() {
        return new ConsoleSink(this, System.out);
    }
}
