package io.updraft.timeseries.query;

import java.util.Comparator;

/**
 * A time interval.
 *
 * @param start the first millisecond since 1970
 * @param end the millisecond after the last one
 */
public record TimeWindow(long start, long end) {

    /** By end, then by start: windows of several time zones may have one of them in common. */
    public static final Comparator<TimeWindow> BY_END =
            Comparator.comparingLong(TimeWindow::end).thenComparingLong(TimeWindow::start);

    /** Returns whether this is the window of {@link WindowSpec#ALL_TIME}, whose start and end have no meaning. */
    public boolean isAllTime() {
        return end - start == WindowSpec.ALL_TIME.size().toMillis();
    }
}
