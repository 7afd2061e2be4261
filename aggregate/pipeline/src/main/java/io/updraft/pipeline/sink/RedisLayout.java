package io.updraft.pipeline.sink;

enum RedisLayout {
    /** A hash for each group and window, with a field for each measure that has a value. */
    HASH,
    /**
     * A time series for each group and measure ({@code TS.ADD}, with the dimensions as labels). It has a sample for each
     * window, at the start of the window. Needs Redis 8, Redis Stack or the module RedisTimeSeries.
     */
    TIME_SERIES,
    /**
     * A sorted set for each group and measure, on any Redis. It has a member {@code <window start>:<value>} for each window,
     * with the start of the window as its score.
     */
    SORTED_SET
}
