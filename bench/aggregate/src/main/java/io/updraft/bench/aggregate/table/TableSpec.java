package io.updraft.bench.aggregate.table;

/**
 * The specification of one run of aggregation alone, sent to a child JVM.
 *
 * @param runtime the runtime of the topology
 * @param dimensions the number of fields to group by
 * @param measures the number of fields to sum
 * @param keys the number of distinct combinations of dimensions
 * @param recordsPerWindow the number of records per window; groups are emitted when the window ends
 * @param aggregators the number of aggregating tasks
 * @param warmupMillis the time from the first record to the measurement
 * @param testMillis the length of the measurement
 */
public record TableSpec(
        Runtime runtime,
        int dimensions,
        int measures,
        int keys,
        long recordsPerWindow,
        int aggregators,
        long warmupMillis,
        long testMillis) {

    /** The runtime of a topology. */
    public enum Runtime {
        /** Updraft's engine and its aggregate bolt. */
        UPDRAFT,
        /** No topology: one thread with Updraft's aggregator. */
        ALONE
    }
}
