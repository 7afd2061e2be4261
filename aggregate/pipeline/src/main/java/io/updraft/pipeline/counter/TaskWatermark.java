package io.updraft.pipeline.counter;

/**
 * How far the time of the units of a task has come, or of several tasks. Times are milliseconds since 1970.
 *
 * @param active the earliest watermark of groups with an active unit; {@link Long#MAX_VALUE} if there is no such group, {@link
 *     Long#MIN_VALUE} if one of the units has no row yet
 * @param idle the latest watermark of other groups; {@link Long#MIN_VALUE} if there is none
 * @param slowest the active unit that determines {@code active}; null if none is active
 */
public record TaskWatermark(long active, long idle, String slowest) {

    /** No unit. */
    public static final TaskWatermark NONE = new TaskWatermark(Long.MAX_VALUE, Long.MIN_VALUE, null);

    /**
     * Adds a group of units.
     *
     * @param watermark the watermark of the group; {@link Long#MAX_VALUE} if it has ended
     * @param itsSlowest the active unit with the earliest time; null if no unit is active
     */
    public TaskWatermark with(long watermark, String itsSlowest) {
        return itsSlowest == null
                ? and(new TaskWatermark(Long.MAX_VALUE, watermark == Long.MAX_VALUE ? Long.MIN_VALUE : watermark, null))
                : and(new TaskWatermark(watermark, Long.MIN_VALUE, itsSlowest));
    }

    /** Returns the watermark of these units and others. */
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
