package io.updraft.pipeline.sink;

import java.util.Locale;

/** What is in a file of results. */
public enum FileFormat {
    /** Comma-separated with a line of names first, as RFC 4180 has it, in UTF-8; ends with line feeds. */
    CSV,
    /** An object in each line, UTF-8. Numbers that JSON has no words for are strings: {@code "NaN"}, {@code "Infinity"}. */
    JSON,
    /** Apache Parquet, compressed with Zstandard. */
    PARQUET;

    /**
     * The format that the ending of a path names.
     *
     * @throws IllegalArgumentException when it names none
     */
    public static FileFormat ofPath(String path) {
        String ending = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return switch (ending) {
            case "csv" -> CSV;
            case "json", "jsonl", "ndjson" -> JSON;
            case "parquet" -> PARQUET;
            default ->
                throw new IllegalArgumentException("path " + path
                        + ": cannot tell the format by the ending; known are .csv, .json, .jsonl, .ndjson, .parquet");
        };
    }
}
