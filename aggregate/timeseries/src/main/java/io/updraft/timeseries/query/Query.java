package io.updraft.timeseries.query;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A query: {@code SELECT dimensions, measures GROUP BY dimensions, window}.
 *
 * @param input the fields of the rows
 * @param dimensions the fields to group by, of any type but DOUBLE; none for one group of all rows; rows without a value in a
 *     dimension form a group of their own
 * @param measures the measures of each group, at least one
 * @param window the windows
 */
public record Query(Schema input, List<String> dimensions, List<Measure> measures, WindowSpec window)
        implements Serializable {

    /**
     * Creates a query.
     *
     * @throws IllegalArgumentException when a field does not exist, when a function cannot be applied to a field's type, when
     *     two columns have the same name, or when there is no measure
     */
    public Query {
        Objects.requireNonNull(window, "window");
        dimensions = List.copyOf(dimensions);
        measures = List.copyOf(measures);
        if (measures.isEmpty()) {
            throw new IllegalArgumentException("a query needs at least one measure");
        }
        for (String dimension : dimensions) {
            if (input.fields().get(input.slot(dimension)).type() == FieldType.DOUBLE) {
                throw new IllegalArgumentException(
                        "cannot group by " + dimension + ", which is a floating-point number");
            }
        }
        String zone = window.zoneField();
        if (zone != null && input.fields().get(input.slot(zone)).type() != FieldType.TEXT) {
            throw new IllegalArgumentException("the zone of windows must be a text field, which " + zone + " is not");
        }
        result(input, dimensions, measures);
    }

    /**
     * Returns the columns of the results: first the dimensions, then the measures.
     *
     * @return a new schema; equal to that of the {@link WindowResult}s
     */
    public Schema result() {
        return result(input, dimensions, measures);
    }

    /** Returns the fields that measures read, as a new set. */
    public Set<String> measuredFields() {
        return measures.stream()
                .map(Measure::field)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static Schema result(Schema input, List<String> dimensions, List<Measure> measures) {
        List<Schema.Field> fields = new ArrayList<>();
        dimensions.forEach(name -> fields.add(input.fields().get(input.slot(name))));
        measures.forEach(measure -> fields.add(measure.column(input)));
        return new Schema(fields);
    }
}
