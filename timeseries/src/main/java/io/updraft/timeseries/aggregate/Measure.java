package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.io.Serializable;
import java.util.Objects;

/**
 * One column of results.
 *
 * @param name of the column
 * @param function what is computed
 * @param field of which field; null only for COUNT, which then counts records
 * @param quantile which share, 0 to 1, for QUANTILE; else 0
 */
public record Measure(String name, Function function, String field, double quantile) implements Serializable {

    /**
     * A column.
     *
     * @throws IllegalArgumentException when the field is missing or the share lies outside of 0 to 1
     */
    public Measure {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(function, "function");
        if (field == null && function != Function.COUNT) {
            throw new IllegalArgumentException(name + ": " + function + " needs a field");
        }
        if (!(quantile >= 0 && quantile <= 1)) {
            throw new IllegalArgumentException(name + ": a quantile lies between 0 and 1, " + quantile + " does not");
        }
    }

    /**
     * The type of the column: MIN, MAX and LAST have that of the field, the sum of DOUBLE is DOUBLE, other sums and all counts are
     * LONG, the rest is DOUBLE.
     *
     * @param input the fields of the rows
     * @throws IllegalArgumentException when there is no such field, or it is of a type that the function is not for
     */
    public FieldType type(Schema input) {
        FieldType type = field == null
                ? FieldType.LONG
                : input.fields().get(input.slot(field)).type();
        boolean number = type == FieldType.LONG || type == FieldType.DOUBLE || type == FieldType.BOOLEAN;
        return switch (function) {
            case COUNT, DISTINCT -> FieldType.LONG;
            case MIN, MAX, LAST -> type;
            case SUM -> require(number, type, type == FieldType.DOUBLE ? FieldType.DOUBLE : FieldType.LONG);
            case AVG, STDDEV, QUANTILE -> require(number || type == FieldType.TIME, type, FieldType.DOUBLE);
        };
    }

    private FieldType require(boolean possible, FieldType input, FieldType result) {
        if (!possible) {
            throw new IllegalArgumentException(name + ": " + function + " of " + field + ", which is of type " + input);
        }
        return result;
    }
}
