package io.updraft.bench.aggregate;

import java.util.Locale;

/** The systems of {@code updraft bench aggregate files}. */
enum FilesSystem {
    UPDRAFT("Updraft"),
    DUCKDB("DuckDB"),
    FLINK("Flink");

    private final String title;

    FilesSystem(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
