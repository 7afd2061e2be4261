package io.updraft.pipeline.sink;

import java.util.Objects;

/**
 * Results in files.
 *
 * @param format what is in them
 * @param path of a file: with {@code {window_start}} or {@code {window_end}} in its name each window has its own, which appears
 *     whole or not at all; without, all windows are in one, which CSV and JSON can. {@code {unit}} is the unit of the source where
 *     there are several writers; where it is missing and needed, it is put before the name's ending. Folders are made
 * @param resume only for one file of all windows: go on with one that is there, from what was flushed last; otherwise it is replaced
 */
public record FileSinkOptions(FileFormat format, String path, boolean resume) implements SinkOptions {

    /**
     * Files.
     *
     * @throws IllegalArgumentException when the path has an unknown part in braces, or the format cannot do what it asks
     */
    public FileSinkOptions {
        Objects.requireNonNull(format, "format");
        FileNames names = new FileNames(path);
        if (!names.perWindow() && format == FileFormat.PARQUET) {
            throw new IllegalArgumentException(
                    "path " + path
                            + ": a Parquet file cannot be added to, so each window needs its own: put {window_start} into the name");
        }
        if (names.perWindow() && resume) {
            throw new IllegalArgumentException("path " + path
                    + ": resume is for one file of all windows; files of one window each are replaced one by one");
        }
    }

    /** Files of the format that their name ends in: {@code .csv}, {@code .json}, {@code .jsonl}, {@code .ndjson}, {@code .parquet}. */
    public static FileSinkOptions of(String path) {
        return new FileSinkOptions(FileFormat.ofPath(path), path, false);
    }

    @Override
    public Sink sink() {
        return new FileNames(path).perWindow() ? new WindowFilesSink(this) : new OneFileSink(this);
    }
}
