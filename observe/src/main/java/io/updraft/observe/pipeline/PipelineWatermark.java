package io.updraft.observe.pipeline;

import java.util.List;

/**
 * How far the time of the data has come, as of about a second ago. All times are milliseconds since 1970, and {@link #UNKNOWN}
 * if they are not known: before the first row, or if rows have no time.
 *
 * @param watermark the time before which no row is expected: the earliest watermark of all groups of partitions
 * @param completeUntil the end of the newest window that is complete in all partitions
 * @param latest the latest time of a row of any partition
 * @param slowest the partition whose time is the earliest, which sets the watermark; null if all are idle or have ended
 * @param partitions the partitions with the earliest times, the earliest first: a few
 * @param more how many other partitions there are
 */
public record PipelineWatermark(
        long watermark, long completeUntil, long latest, String slowest, List<Partition> partitions, int more) {

    /** A time that is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Nothing is known. */
    public static final PipelineWatermark NONE = new PipelineWatermark(UNKNOWN, UNKNOWN, UNKNOWN, null, List.of(), 0);

    /**
     * The time of a partition.
     *
     * @param name the partition, such as {@code orders-1}, or the file
     * @param latest the latest time of a row of it, before any row that is still on its way to a task
     */
    public record Partition(String name, long latest) {}

    /** Copies the partitions. */
    public PipelineWatermark {
        partitions = List.copyOf(partitions);
    }
}
