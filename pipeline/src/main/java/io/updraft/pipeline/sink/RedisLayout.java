package io.updraft.pipeline.sink;

/** How results become keys of Redis. */
public enum RedisLayout {
    /** A hash for each group and window: a field for each measure, none where it has no value. */
    HASH,
    /**
     * A time series for each group and measure ({@code TS.ADD}, labels are the dimensions), with a sample for each window at its
     * start. Needs Redis 8, Redis Stack or the module RedisTimeSeries.
     */
    TIME_SERIES,
    /**
     * The same on any Redis: a sorted set for each group and measure, with a member {@code <window start>:<value>} for each window,
     * whose score is the window's start.
     */
    SORTED_SET
}
