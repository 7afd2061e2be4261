package io.updraft.timeseries.aggregate;

import java.nio.file.Path;

/**
 * How much an aggregator may hold, or all that share a {@link Budget} together.
 *
 * @param maxGroups the most groups that all open windows may have together (of sliding windows, all their panes)
 * @param maxBytes the most bytes of memory that they may take
 * @param spill a directory for groups that are too many for memory; null to refuse them with {@link TooManyGroups}
 */
public record AggregatorOptions(long maxGroups, long maxBytes, Path spill) {

    /**
     * Limits.
     *
     * @throws IllegalArgumentException when one of them is not positive
     */
    public AggregatorOptions {
        if (maxGroups < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("limits of groups and bytes must be positive");
        }
    }

    /** Any number of groups, in at most half of the heap that the JVM may have. */
    public static AggregatorOptions inMemory() {
        return new AggregatorOptions(
                Long.MAX_VALUE, Math.max(1, Runtime.getRuntime().maxMemory() / 2), null);
    }
}
