package io.updraft.pipeline.spec;

import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.Selection;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.Schema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The aggregate of a pipeline: grouping, measures and windows.
 *
 * @param measures what is computed of each group: columns of results, and parts of their expressions
 * @param selection what is written of the groups
 * @param window size, slide and lateness of the windows; {@link WindowSpec#ALL_TIME} for one window over all rows, which then all get
 *     time 0
 * @param unique which rows are duplicates and do not count; null if all rows count
 * @param early how often, by the clock, the results so far are written before a window ends; null for never
 */
public record AggregateSpec(
        List<String> groupBy,
        List<Measure> measures,
        Selection selection,
        WindowSpec window,
        Duration early,
        Unique unique,
        Limits limits) {

    /** Copies the lists. */
    public AggregateSpec {
        groupBy = List.copyOf(groupBy);
        measures = List.copyOf(measures);
    }

    /** Returns whether there is only one window, over all rows. */
    public boolean allTime() {
        return window.equals(WindowSpec.ALL_TIME);
    }

    /** Returns the query over rows of this schema. */
    public Query query(Schema input) {
        return new Query(input, groupBy, measures, window);
    }

    /**
     * Which rows are duplicates: those whose id a row of a time at most {@code within} away had before.
     *
     * @param by the fields whose values are the id; a row without one of them is no duplicate
     * @param within the longest time between duplicates; null for any
     * @param ids the most ids that are kept; 0 for as many as fit an eighth of the heap
     */
    public record Unique(List<String> by, Duration within, long ids) {

        /** Copies the list. */
        public Unique {
            by = List.copyOf(by);
        }
    }

    /**
     * Limits of the state.
     *
     * @param groups the most groups in all open windows together; 0 for no limit
     * @param memory the most bytes that these groups take; 0 for as much as the heap leaves
     * @param spill the directory to which groups beyond {@code memory} are spilled; null for none: then exceeding {@code
     *     memory} is an error
     */
    public record Limits(long groups, long memory, Path spill) {}
}
