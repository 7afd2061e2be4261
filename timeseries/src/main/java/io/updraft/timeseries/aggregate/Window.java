package io.updraft.timeseries.aggregate;

/**
 * A stretch of time.
 *
 * @param start its first millisecond since 1970
 * @param end the millisecond after its last
 */
public record Window(long start, long end) {

    /** Whether it is the one of {@link WindowSpec#ALL_TIME}, whose start and end say nothing. */
    public boolean isAllTime() {
        return end - start == WindowSpec.ALL_TIME.size().toMillis();
    }
}
