package io.updraft.bench.option;

/** The format of results on standard output. With CSV and JSON, progress lines go to standard error. */
public enum ReportFormat {
    TABLE,
    CSV,
    JSON
}
