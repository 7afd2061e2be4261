package io.updraft.timeseries.decode;

/** How the records of a source are written. */
public enum Format {
    /** One JSON value each (RFC 8259), usually an object. In chunks of lines, each on a line of its own. */
    JSON,
    /** Comma-separated values (RFC 4180), with {@link CsvFormat} saying how exactly. */
    CSV
}
