package io.updraft.pipeline.run;

import io.updraft.timeseries.query.WindowSpec;

/**
 * The times at which windows end, and at which they stop to accept rows, in milliseconds.
 *
 * @param lateness how long after its end a window accepts rows
 */
record WindowBounds(long size, long slide, long lateness) {

    WindowBounds(WindowSpec windows) {
        this(
                windows.size().toMillis(),
                windows.slide().toMillis(),
                Math.min(windows.lateness().toMillis(), Long.MAX_VALUE / 4));
    }

    /** Returns the end of the latest window that contains a time. */
    long lastEnd(long time) {
        return Math.floorDiv(time, slide) * slide + size;
    }

    /** Returns the first time after {@code watermark} at which a window ends, or stops to accept rows. */
    long next(long watermark) {
        return Math.min(nextEnd(watermark), nextEnd(watermark - lateness) + lateness);
    }

    private long nextEnd(long time) {
        return lastEnd(time - size) + slide;
    }
}
