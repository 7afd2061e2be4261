package io.updraft.timeseries.query;

/** A function of the records of a group. A record without a value counts only for COUNT without a field. */
public enum AggregateFunction {
    /** The number of records, or of records that have the field. Whole number; never without a value. */
    COUNT,
    /** The sum, exact for whole numbers. */
    SUM,
    /** The minimum. */
    MIN,
    /** The maximum. */
    MAX,
    /** The mean. Floating-point. */
    AVG,
    /** The value of the record with the latest time. Of records with the same time, the value of the last to arrive. */
    LAST,
    /** The standard deviation of the whole population. Floating-point. */
    STDDEV,
    /** The number of different values, estimated. Whole number. */
    DISTINCT,
    /** The value below which a given fraction of the values lies, estimated. Floating-point. */
    QUANTILE
}
