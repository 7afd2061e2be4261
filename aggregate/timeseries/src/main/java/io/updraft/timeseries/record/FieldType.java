package io.updraft.timeseries.record;

/** The type of a field. A field of any type may have no value. */
public enum FieldType {
    /** Text. */
    TEXT,
    /** A whole number of 64 bits. */
    LONG,
    /** A floating-point number of 64 bits. */
    DOUBLE,
    /**
     * A number with a fixed count of digits after the point, which is the scale of its field, and at most 18 digits in all; in a
     * {@link RecordRow}, a whole number: the value times a power of ten.
     */
    DECIMAL,
    /** True or false; in a {@link RecordRow}, 1 or 0. */
    BOOLEAN,
    /** An instant, as milliseconds since 1970-01-01T00:00:00Z; in a {@link RecordRow}, a whole number. */
    TIME
}
