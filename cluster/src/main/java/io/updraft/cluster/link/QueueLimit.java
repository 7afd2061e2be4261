package io.updraft.cluster.link;

/**
 * Computes how many items may wait when their total size is limited, from the mean size of the last items. Used by one thread
 * at a time.
 *
 * <p>The queue between two workers must be bounded in bytes, not in tuples. 32,000 tuples of ten bytes fit into a processor's
 * cache. 32,000 tuples of ten kilobytes are a third of a gigabyte, and take long to transfer.
 */
final class QueueLimit {
    /** The newest sample has the weight 1 / {@code MEMORY} in the mean. */
    private static final double MEMORY = 8;

    private final long bytes;
    private double mean;

    QueueLimit(long bytes) {
        this.bytes = bytes;
    }

    /** Adds a sample of at least one item, in bytes. {@return the number of items that may wait, at least 1} */
    int limitAfter(int weight, int things) {
        double each = (double) weight / things;
        mean = mean == 0 ? each : mean + (each - mean) / MEMORY;
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / mean));
    }
}
