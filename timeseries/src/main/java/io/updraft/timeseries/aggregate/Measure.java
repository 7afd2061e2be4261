package io.updraft.timeseries.aggregate;

import java.util.Objects;

/**
 * One column of results.
 *
 * @param name of the column
 * @param function what is computed
 * @param field of which field; null only for COUNT, which then counts records
 * @param quantile which share, 0 to 1, for QUANTILE; else 0
 */
public record Measure(String name, Function function, String field, double quantile) {

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
}
