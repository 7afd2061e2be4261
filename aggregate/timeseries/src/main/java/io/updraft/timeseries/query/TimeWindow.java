package io.updraft.timeseries.query;

/**
 * A time interval.
 *
 * @param start the first millisecond since 1970
 * @param end the millisecond after the last one
 */
public record TimeWindow(long start, long end) {

    /** Returns whether this is the window of {@link WindowSpec#ALL_TIME}, whose start and end have no meaning. */
    public boolean isAllTime() {
        return end - start == WindowSpec.ALL_TIME.size().toMillis();
    }
}
