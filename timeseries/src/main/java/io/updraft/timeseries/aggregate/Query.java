package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Schema;
import java.util.List;
import java.util.Objects;

/**
 * What to compute: {@code SELECT dimensions, measures GROUP BY dimensions, window}.
 *
 * @param input the fields of the rows
 * @param dimensions the fields to group by, of any type but DOUBLE; none for one group of all; a row without a value in one of
 *     them belongs to the group without that value
 * @param measures what to compute of each group, at least one
 * @param window which windows
 */
public record Query(Schema input, List<String> dimensions, List<Measure> measures, WindowSpec window) {

    /**
     * A query.
     *
     * @throws IllegalArgumentException when a field does not exist or there is no measure
     */
    public Query {
        Objects.requireNonNull(window, "window");
        dimensions = List.copyOf(dimensions);
        measures = List.copyOf(measures);
        if (measures.isEmpty()) {
            throw new IllegalArgumentException("a query needs something to compute");
        }
        dimensions.forEach(input::slot);
        measures.stream().map(Measure::field).filter(Objects::nonNull).forEach(input::slot);
    }
}
