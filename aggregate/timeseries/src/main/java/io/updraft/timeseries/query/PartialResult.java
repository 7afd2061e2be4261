package io.updraft.timeseries.query;

/**
 * A result that can be merged with results of other aggregators for the same window and query; see {@code Aggregators.merge}.
 * With only one aggregator it is the final result.
 */
public interface PartialResult extends WindowResult {

    /** Returns the approximate memory size, bytes. Texts shared by several results are divided among them. */
    long bytes();
}
