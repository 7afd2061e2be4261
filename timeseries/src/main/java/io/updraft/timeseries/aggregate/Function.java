package io.updraft.timeseries.aggregate;

/** What is computed of the records of a group. Values that a record does not have count for none of them but COUNT without a field. */
public enum Function {
    /** How many records, or how many that have the field. Whole number; never without a value. */
    COUNT,
    /** The sum, exact for whole numbers. */
    SUM,
    /** The least. */
    MIN,
    /** The greatest. */
    MAX,
    /** The mean. Floating-point. */
    AVG,
    /** The value of the record with the latest time; of those with the same time, of the one that came last. */
    LAST,
    /** The standard deviation of the whole population. Floating-point. */
    STDDEV,
    /** How many different values, estimated. Whole number. */
    DISTINCT,
    /** The value below which a given share of the values lies, estimated. Floating-point. */
    QUANTILE
}
