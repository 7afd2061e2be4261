package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.io.Serializable;
import java.util.ArrayList;
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
public record Query(Schema input, List<String> dimensions, List<Measure> measures, WindowSpec window)
        implements Serializable {

    /**
     * A query.
     *
     * @throws IllegalArgumentException when a field does not exist or is of a type that the function is not for, when two columns
     *     have one name, or when there is no measure
     */
    public Query {
        Objects.requireNonNull(window, "window");
        dimensions = List.copyOf(dimensions);
        measures = List.copyOf(measures);
        if (measures.isEmpty()) {
            throw new IllegalArgumentException("a query needs something to compute");
        }
        for (String dimension : dimensions) {
            if (input.fields().get(input.slot(dimension)).type() == FieldType.DOUBLE) {
                throw new IllegalArgumentException(
                        "cannot group by " + dimension + ", which is a floating-point number");
            }
        }
        result(input, dimensions, measures);
    }

    /**
     * The columns of the results: first the dimensions, then the measures.
     *
     * @return a new schema; equal to that of the {@link WindowResult}s
     */
    public Schema result() {
        return result(input, dimensions, measures);
    }

    private static Schema result(Schema input, List<String> dimensions, List<Measure> measures) {
        List<Field> fields = new ArrayList<>();
        dimensions.forEach(name -> fields.add(input.fields().get(input.slot(name))));
        measures.forEach(measure -> fields.add(new Field(measure.name(), measure.type(input))));
        return new Schema(fields);
    }
}
