package io.updraft.timeseries.aggregate;

/**
 * A result that can still be put together with results of the same window and query by other aggregators; see
 * {@code Aggregators.merge}. If there is only one aggregator, it is the result.
 */
public interface PartialResult extends WindowResult {

    /** How many bytes of memory it takes, roughly; texts that several results share are divided among them. */
    long bytes();
}
