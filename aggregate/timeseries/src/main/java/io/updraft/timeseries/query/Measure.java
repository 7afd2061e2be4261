package io.updraft.timeseries.query;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.io.Serializable;
import java.util.Objects;

/**
 * One column of results.
 *
 * @param name the name of the column
 * @param function the function to compute
 * @param field the field to compute it of; null only for COUNT, which then counts records
 * @param quantile the fraction for QUANTILE, QUANTILE_CONT and QUANTILE_DISC, 0 to 1; else 0
 */
public record Measure(String name, AggregateFunction function, String field, double quantile) implements Serializable {

    /**
     * Creates a column.
     *
     * @throws IllegalArgumentException when the field is missing or the fraction is outside 0 to 1
     */
    public Measure {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(function, "function");
        if (field == null && function != AggregateFunction.COUNT) {
            throw new IllegalArgumentException(name + ": " + function + " needs a field");
        }
        if (!(quantile >= 0 && quantile <= 1)) {
            throw new IllegalArgumentException(name + ": a quantile must be from 0 to 1, but " + quantile + " is not");
        }
    }

    /**
     * Returns the type of the column. MIN, MAX, FIRST, LAST, MODE and QUANTILE_DISC have the type of the field. The sum of DOUBLE is
     * DOUBLE and that of DECIMAL is DECIMAL; other sums and all counts are LONG. QUANTILE_CONT of times is a time. All other functions
     * give DOUBLE.
     *
     * @param input the fields of the rows
     * @throws IllegalArgumentException when the field does not exist, or the function cannot be applied to its type
     */
    public FieldType type(Schema input) {
        FieldType type = field == null
                ? FieldType.LONG
                : input.fields().get(input.slot(field)).type();
        boolean number = type == FieldType.LONG
                || type == FieldType.DOUBLE
                || type == FieldType.DECIMAL
                || type == FieldType.BOOLEAN;
        return switch (function) {
            case COUNT, DISTINCT, EXACT_DISTINCT -> FieldType.LONG;
            case MIN, MAX, FIRST, LAST, MODE -> type;
            case SUM -> require(number, type, type == FieldType.BOOLEAN ? FieldType.LONG : type);
            case AVG, STDDEV, QUANTILE -> require(number || type == FieldType.TIME, type, FieldType.DOUBLE);
            case QUANTILE_CONT ->
                require(
                        number || type == FieldType.TIME,
                        type,
                        type == FieldType.TIME ? FieldType.TIME : FieldType.DOUBLE);
            case QUANTILE_DISC -> require(number || type == FieldType.TIME, type, type);
        };
    }

    /**
     * Returns the column of results. A DECIMAL has the scale of the field.
     *
     * @param input the fields of the rows
     * @throws IllegalArgumentException when the field does not exist, or the function cannot be applied to its type
     */
    public Schema.Field column(Schema input) {
        FieldType type = type(input);
        int scale = type == FieldType.DECIMAL
                ? input.fields().get(input.slot(field)).scale()
                : 0;
        return new Schema.Field(name, type, scale);
    }

    private FieldType require(boolean possible, FieldType input, FieldType result) {
        if (!possible) {
            throw new IllegalArgumentException(
                    name + ": " + function + " cannot be applied to " + field + ", which is of type " + input);
        }
        return result;
    }
}
