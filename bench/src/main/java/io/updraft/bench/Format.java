package io.updraft.bench;

/** The format of results on standard output. With CSV and JSON, progress lines go to standard error. */
enum Format {
    TABLE,
    CSV,
    JSON
}
