package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.TooManyGroupsException;
import java.nio.file.Path;

/**
 * The limits of an aggregator, or of all aggregators that share a {@link GroupBudget}.
 *
 * @param maxGroups the most groups of all open windows together (for sliding windows, of all their panes)
 * @param maxBytes the most bytes of memory
 * @param spill a directory for groups that do not fit into memory; null to refuse them with {@link TooManyGroupsException}
 */
public record AggregatorOptions(long maxGroups, long maxBytes, Path spill) {

    /**
     * Creates limits.
     *
     * @throws IllegalArgumentException when one of them is not positive
     */
    public AggregatorOptions {
        if (maxGroups < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("limits of groups and bytes must be positive");
        }
    }

    /** Returns limits for any number of groups, in at most half of the maximum heap. */
    public static AggregatorOptions inMemory() {
        return new AggregatorOptions(
                Long.MAX_VALUE, Math.max(1, Runtime.getRuntime().maxMemory() / 2), null);
    }
}
