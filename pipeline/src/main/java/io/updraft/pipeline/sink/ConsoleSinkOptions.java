package io.updraft.pipeline.sink;

import java.util.Objects;

/**
 * Results on standard output.
 *
 * @param style how they look
 * @param maxRows how many rows of a window a table shows at most; a line says how many more there are. Other styles show all
 */
public record ConsoleSinkOptions(Style style, int maxRows) implements SinkOptions {

    /** How results look. */
    public enum Style {
        /** Columns under one another, with a heading for each window. */
        TABLE,
        /** Separated by tabs, a line of names first. */
        TSV,
        /** Separated by commas, a line of names first. */
        CSV,
        /** An object in each line. */
        JSON
    }

    /**
     * Standard output.
     *
     * @throws IllegalArgumentException when there is to be no row at all
     */
    public ConsoleSinkOptions {
        Objects.requireNonNull(style, "style");
        if (maxRows < 1) {
            throw new IllegalArgumentException("a table shows at least one row, not " + maxRows);
        }
    }

    /** Tables of at most 40 rows. */
    public static ConsoleSinkOptions table() {
        return new ConsoleSinkOptions(Style.TABLE, 40);
    }

    @Override
    public Sink sink() {
        return new ConsoleSink(this, System.out);
    }
}
