package io.updraft.pipeline.connector;

/**
 * The position up to which a partition of a source is committed.
 *
 * @param position the position before which all records are written
 * @param closedUntil windows that end at or before this time (milliseconds since 1970) accept no more records; {@link
 *     Long#MIN_VALUE} if there are none
 * @param processed the rows from {@code position} on that are in these windows, or were late for them. Other rows of these windows
 *     are late when they are read
 * @param ownership the right to the share of the partition, from the source; null if none is needed
 * @param fingerprint what the source read up to the position, as a text of the source without blanks: a later run recognises
 *     the partition by it. Empty if unknown
 */
public record PartitionPosition(
        String partition,
        long position,
        long closedUntil,
        ProcessedRanges processed,
        RecordSource.Ownership ownership,
        String fingerprint) {

    /**
     * Creates a commit. Older versions stored {@link Long#MAX_VALUE} as {@code closedUntil} at the end of the input; which
     * windows they had written is unknown, so this value becomes {@link Long#MIN_VALUE}.
     */
    public PartitionPosition {
        if (closedUntil == Long.MAX_VALUE) {
            closedUntil = Long.MIN_VALUE;
        }
    }

    /**
     * Returns the part of the commit that is still valid after the log was cut.
     *
     * @param cut the position from which records were removed and may have been replaced by others; below 0 if all were removed
     */
    public PartitionPosition before(long cut) {
        return new PartitionPosition(
                partition, Math.min(position, cut), closedUntil, processed.before(cut), ownership, fingerprint);
    }

    /** Creates a commit of a partition that no other process can own. */
    public PartitionPosition(String partition, long position, long closedUntil, ProcessedRanges seen) {
        this(partition, position, closedUntil, seen, null, "");
    }

    /** Creates a commit of a partition that no other process can own, without any row seen after the position. */
    public PartitionPosition(String partition, long position, long closedUntil) {
        this(partition, position, closedUntil, ProcessedRanges.NONE);
    }
}
