package io.updraft.pipeline.sink;

import java.util.Objects;

/**
 * Results in files.
 *
 * @param format what is in them
 * @param path of a file: with {@code {window_start}} or {@code {window_end}} in its name each window has its own, which appears
 *     whole or not at all; without, all windows are in one, which CSV and JSON can. {@code {unit}} is the unit of the source where
 *     there are several writers; where it is missing and needed, it is put before the name's ending. Folders are made
 * @param anew only for one file of all windows: each run replaces one that is there; otherwise it goes on with it, from what was
 *     flushed last, and keeps the source's positions beside it
 */
public record FileSinkOptions(FileFormat format, String path, boolean anew) implements SinkOptions {

    /**
     * Files.
     *
     * @throws IllegalArgumentException when the path has an unknown part in braces, or the format cannot do what it asks
     */
    public FileSinkOptions {
        Objects.requireNonNull(format, "format");
        new FileNames(path); // says what is wrong with it
        if (!isPerWindow(path) && format == FileFormat.PARQUET) {
            throw new IllegalArgumentException(
                    "path " + path
                            + ": a Parquet file cannot be added to, so each window needs its own: put {window_start} into the name");
        }
        if (isPerWindow(path) && anew) {
            throw new IllegalArgumentException("path " + path
                    + ": anew is for one file of all windows; files of one window each are replaced one by one");
        }
    }

    /**
     * Files that each run begins anew, of the format that their name ends in: {@code .csv}, {@code .json}, {@code .jsonl},
     * {@code .ndjson}, {@code .parquet}.
     */
    public static FileSinkOptions of(String path) {
        return new FileSinkOptions(FileFormat.ofPath(path), path, !isPerWindow(path));
    }

    /** Whether each window has its own file under a path. */
    public static boolean isPerWindow(String path) {
        return path.contains("{window_start}") || path.contains("{window_end}");
    }

    /** Whether all windows are in one file that a run goes on with, which keeps the source's positions beside it. */
    public boolean goesOn() {
        return !anew && !isPerWindow(path);
    }

    @Override
    public Sink sink() {
        return isPerWindow(path) ? new WindowFilesSink(this) : new OneFileSink(this);
    }
}
