package io.updraft.timeseries.query;

import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/**
 * The groups of one window, each once. A result has one owner at a time: threads hand it on and do not
 * share it.
 */
public interface WindowResult {

    /** Why the result was emitted. */
    enum Emission {
        /** Requested before the window's end. A later result replaces it. */
        EARLY,
        /** At the window's end. */
        FINAL,
        /** After the window's end, with late records. It replaces the result before. */
        UPDATE
    }

    /**
     * A group without a row in the result, because a measure exceeds the type of its column.
     *
     * @param row the group's dimensions and the measures that fit; reused for the next group
     * @param reason one line with the name and the value of the measure
     */
    record Overflow(RecordRow row, String reason) {}

    /** Returns the window. */
    TimeWindow window();

    /** Returns why the result was emitted. */
    Emission emission();

    /** Returns the columns: first the dimensions, then the measures, as in the query. */
    Schema schema();

    /** Returns the number of dimensions among the columns. */
    int dimensions();

    /** Returns whether the rows are in an order that was asked for. */
    default boolean isOrdered() {
        return false;
    }

    /** Returns the number of groups, without those that overflow. */
    long size();

    /** Passes each group that does not overflow to a consumer, in a row that is reused for the next group. */
    void forEach(Consumer<RecordRow> rows);

    /** Passes each group with a sum of whole numbers that does not fit into 64 bits to a consumer. */
    default void forEachOverflow(Consumer<Overflow> groups) {}
}
