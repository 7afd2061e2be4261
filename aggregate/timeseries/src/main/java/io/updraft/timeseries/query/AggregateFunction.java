package io.updraft.timeseries.query;

/** A function of the records of a group. A record without a value counts only for COUNT without a field. */
public enum AggregateFunction {
    /** The number of records, or of records that have the field. Whole number; never without a value. */
    COUNT,
    /** The sum, exact for whole numbers and decimals. */
    SUM,
    /** The minimum. */
    MIN,
    /** The maximum. */
    MAX,
    /** The mean. Floating-point. */
    AVG,
    /** The value of the record with the earliest time. Of records with the same time, the value of the first to arrive. */
    FIRST,
    /** The value of the record with the latest time. Of records with the same time, the value of the last to arrive. */
    LAST,
    /** The standard deviation of the whole population. Floating-point. */
    STDDEV,
    /** The number of different values, estimated. Whole number. */
    DISTINCT,
    /** The value below which a given fraction of the values lies, estimated. Floating-point. */
    QUANTILE,
    /** The number of different values, exact. Keeps all different values of a group. Whole number. */
    EXACT_DISTINCT,
    /** The most frequent value; of several, the least. Keeps all different values of a group. */
    MODE,
    /**
     * The value at a given fraction of all values in their order, or between the two values beside it in proportion; exact. Keeps all
     * different values of a group. Floating-point, or a time.
     */
    QUANTILE_CONT,
    /** The least value that at least a given fraction of the values does not exceed; exact. Keeps all different values of a group. */
    QUANTILE_DISC;

    /** {@return whether the function has a fraction of the values as its second argument} */
    public boolean hasFraction() {
        return this == QUANTILE || this == QUANTILE_CONT || this == QUANTILE_DISC;
    }
}
