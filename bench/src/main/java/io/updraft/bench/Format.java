package io.updraft.bench;

/** How results are written to standard output; everything else goes to standard error then. */
enum Format {
    TABLE,
    CSV,
    JSON
}
