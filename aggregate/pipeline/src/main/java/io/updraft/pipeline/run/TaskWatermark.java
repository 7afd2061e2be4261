package io.updraft.pipeline.run;

/**
 * How far the time of the partitions of a task has come, or of several tasks. Times are milliseconds since 1970.
 *
 * @param active the earliest watermark of shares with an active partition; {@link Long#MAX_VALUE} if there is no such share, {@link
 *     Long#MIN_VALUE} if one of the partitions has no row yet
 * @param idle the latest watermark of other shares; {@link Long#MIN_VALUE} if there is none
 * @param slowest the active partition that determines {@code active}; null if none is active
 */
record TaskWatermark(long active, long idle, String slowest) {

    /** No partition. */
    public static final TaskWatermark NONE = new TaskWatermark(Long.MAX_VALUE, Long.MIN_VALUE, null);

    /**
     * Adds a share.
     *
     * @param watermark the watermark of the share; {@link Long#MAX_VALUE} if it has ended
     * @param itsSlowest the active partition with the earliest time; null if no partition is active
     */
    public TaskWatermark with(long watermark, String itsSlowest) {
        return itsSlowest == null
                ? and(new TaskWatermark(Long.MAX_VALUE, watermark == Long.MAX_VALUE ? Long.MIN_VALUE : watermark, null))
                : and(new TaskWatermark(watermark, Long.MIN_VALUE, itsSlowest));
    }

    public TaskWatermark and(TaskWatermark other) {
        boolean isOther = slowest == null || other.slowest != null && other.active < active;
        return new TaskWatermark(
                Math.min(active, other.active), Math.max(idle, other.idle), isOther ? other.slowest : slowest);
    }

    /** Returns the watermark; {@link Long#MIN_VALUE} if it is not known. */
    public long time() {
        return slowest == null ? idle : active;
    }
}
