package io.updraft.pipeline.run;

import java.util.HashMap;
import java.util.Map;

/**
 * The position up to which tasks have handled all records of a partition without a gap, and the latest time of a row before it. This
 * is the time of the partition. If several tasks share its records, no task knows this time alone: a task without a record does not
 * know how far the others are. Any thread.
 */
final class PartitionFrontier {

    private record Piece(long to, long latest) {}

    // Guarded by this.
    private final Map<Long, Piece> ahead = new HashMap<>();
    private long sent;
    private long position;
    private long latest = Long.MIN_VALUE;

    PartitionFrontier(long begin) {
        sent = begin;
        position = begin;
    }

    /** Records that records up to a position are about to be sent to tasks. */
    synchronized void sent(long to) {
        sent = to;
    }

    /**
     * Records that a task has handled, or will skip, the records between two positions.
     *
     * @param since the position up to which records had been sent before these
     * @param to the position up to which records had been sent with these
     * @param time the time of the latest row among these or earlier ones
     */
    public synchronized void handled(long since, long to, long time) {
        if (since == to) {
            return;
        }
        ahead.put(since, new Piece(to, time));
        for (Piece next = ahead.remove(position); next != null; next = ahead.remove(position)) {
            position = next.to;
            latest = Math.max(latest, next.latest);
        }
    }

    /** Returns the latest time of a row before any gap, in milliseconds since 1970; {@link Long#MIN_VALUE} if there is none. */
    public synchronized long latest() {
        return latest;
    }

    /** Returns whether all records before a position have been handled. */
    public synchronized boolean hasPassed(long to) {
        return position >= to;
    }

    /** Returns whether all records that were sent to tasks have been handled. */
    public synchronized boolean isComplete() {
        return position == sent;
    }
}
