package io.updraft.timeseries.decode;

/** The format of the records of a source. */
public enum RecordFormat {
    /** Each record is one JSON value (RFC 8259), usually an object. In chunks of lines, each record is one line. */
    JSON,
    /** Comma-separated values (RFC 4180); {@link CsvFormat} has the details. */
    CSV
}
