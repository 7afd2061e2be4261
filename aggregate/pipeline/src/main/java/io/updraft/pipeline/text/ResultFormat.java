package io.updraft.pipeline.text;

import java.util.Locale;

/** The format of a file of results. */
public enum ResultFormat {
    /** Comma-separated as in RFC 4180, after a header line, in UTF-8, with line feeds. */
    CSV,
    /** An object in each line, UTF-8. Numbers that JSON cannot express are strings: {@code "NaN"}, {@code "Infinity"}. */
    JSON,
    /** Apache Parquet, compressed with Zstandard. */
    PARQUET;

    /**
     * Returns the format for the ending of a path.
     *
     * @throws IllegalArgumentException when the ending is unknown
     */
    public static ResultFormat ofPath(String path) {
        String ending = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return switch (ending) {
            case "csv" -> CSV;
            case "json", "jsonl", "ndjson" -> JSON;
            case "parquet" -> PARQUET;
            default ->
                throw new IllegalArgumentException(
                        "path " + path + ": unknown ending; use .csv, .json, .jsonl, .ndjson or .parquet");
        };
    }
}
