package io.updraft.pipeline.text;

/** The format of a file of results. */
public enum ResultFormat {
    /** Comma-separated as in RFC 4180, after a header line, in UTF-8, with line feeds. */
    CSV,
    /** An object in each line, UTF-8. Numbers that JSON cannot express are strings: {@code "NaN"}, {@code "Infinity"}. */
    JSON,
    /** Apache Parquet, compressed with Zstandard. */
    PARQUET
}
