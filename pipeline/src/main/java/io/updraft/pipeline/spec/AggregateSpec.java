package io.updraft.pipeline.spec;

import io.updraft.timeseries.aggregate.Measure;
import io.updraft.timeseries.aggregate.Query;
import io.updraft.timeseries.aggregate.WindowSpec;
import io.updraft.timeseries.record.Schema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What is computed.
 *
 * @param groupBy the dimensions
 * @param measures what is computed of each group
 * @param window which windows; {@link #ALL_TIME} for one of everything, whose rows are all put in with time 0
 * @param early how often what has come so far is written before a window's end, by the clock; null for never
 * @param limits of the state
 */
public record AggregateSpec(
        List<String> groupBy, List<Measure> measures, WindowSpec window, Duration early, Limits limits) {

    /** One window from 1970 on, whose end nobody sees. */
    public static final WindowSpec ALL_TIME = WindowSpec.ALL_TIME;

    /** An aggregate. */
    public AggregateSpec {
        groupBy = List.copyOf(groupBy);
        measures = List.copyOf(measures);
        Objects.requireNonNull(window, "window");
        Objects.requireNonNull(limits, "limits");
    }

    /** Whether there is one window of everything. */
    public boolean allTime() {
        return window.equals(ALL_TIME);
    }

    /** The query over rows of these fields. */
    public Query query(Schema input) {
        return new Query(input, groupBy, measures, window);
    }

    /**
     * How much state there may be.
     *
     * @param groups in all open windows together; 0 for no limit
     * @param memory bytes that they take; 0 for what the heap leaves
     * @param spill the directory where groups beyond {@code memory} go; null for none, which makes them an error
     */
    public record Limits(long groups, long memory, Path spill) {}
}
