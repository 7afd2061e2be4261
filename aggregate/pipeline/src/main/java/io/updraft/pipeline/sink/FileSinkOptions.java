package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.text.ResultFormat;

/**
 * Results in files.
 *
 * @param format the format of the files
 * @param path the path of a file. With {@code {window_start}} or {@code {window_end}} in its name, each window has its own
 *     file, which appears as a whole; without, all windows are in one file, which is possible for CSV and JSON. {@code {unit}}
 *     is the share of the source if there are several writers; where it is needed but missing, it is put before the ending.
 *     Missing folders are created
 * @param replaces only for one file of all windows: whether each run replaces an existing file. Otherwise a run appends after the
 *     last flush, and stores the positions of the source beside the file
 */
public record FileSinkOptions(ResultFormat format, String path, boolean replaces) implements SinkOptions {

    /**
     * Checks the values. Throws an {@link IllegalArgumentException} when the path has an unknown part in braces, or does not
     * fit the format.
     */
    public FileSinkOptions {
        new FileNameTemplate(path); // checks the path
        if (!isPerWindow(path) && format == ResultFormat.PARQUET) {
            throw new IllegalArgumentException("path " + path
                    + ": nothing can be appended to a Parquet file: give each window its own file, with"
                    + " {window_start} in the name");
        }
        if (isPerWindow(path) && replaces) {
            throw new IllegalArgumentException("path " + path
                    + ": 'anew' is only for one file of all windows; files per window are replaced one by one: leave"
                    + " out 'anew'");
        }
    }

    /** Returns whether each window has its own file under a path. */
    public static boolean isPerWindow(String path) {
        return path.contains("{window_start}") || path.contains("{window_end}");
    }

    /** Returns whether all windows are in one file to which a run appends, with the positions of the source beside it. */
    public boolean appends() {
        return !replaces && !isPerWindow(path);
    }

    @Override
    public String ambiguity(boolean grouped) {
        boolean names = path.contains("{window_start}") && path.contains("{window_end}");
        return isPerWindow(path) && !names ? "path " + path + " needs {window_start} and {window_end}" : null;
    }

    @Override
    public boolean keepsPositions() {
        return appends();
    }

    @Override
    public ResultSink sink() {
        return isPerWindow(path) ? new WindowFilesSink(this) : new SingleFileSink(this);
    }
}
