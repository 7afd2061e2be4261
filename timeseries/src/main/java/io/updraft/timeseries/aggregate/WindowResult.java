package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/**
 * The groups of one window, each once, in no particular order. Whoever has it owns it: it is handed from thread to thread, not
 * shared.
 */
public interface WindowResult {

    /** How it came to be written. */
    enum Emission {
        /** Before the window's end, since somebody asked for it: a later one takes its place. */
        EARLY,
        /** At the window's end. */
        FINAL,
        /** After its end, with records that came late: takes the place of the one before. */
        UPDATE
    }

    /**
     * A group that has no row in the result since a measure is beyond the type of its column.
     *
     * @param row the group's dimensions and the measures that fit, filled again for the next one
     * @param reason names the measure and says its value, in one line
     */
    record Overflow(Row row, String reason) {}

    /** Which window. */
    Window window();

    /** How it came to be written. */
    Emission emission();

    /** The columns: first the dimensions, then the measures, as in the query. */
    Schema schema();

    /** How many of the columns are dimensions. */
    int dimensions();

    /** How many groups there are, without those that overflow. */
    long size();

    /** Hands over each group that does not overflow, in a row that is filled again for the next one. */
    void forEach(Consumer<Row> rows);

    /** Hands over each group that has a sum of whole numbers which does not fit into 64 bits. */
    default void forEachOverflow(Consumer<Overflow> groups) {}
}
