package io.updraft.timeseries.aggregate;

/**
 * A stretch of time.
 *
 * @param start its first millisecond since 1970
 * @param end the millisecond after its last
 */
public record Window(long start, long end) {}
