package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * A partition of the source of a run, from when it is opened until it is revoked or over. If it is opened again after that, that is another partition.
 *
 * @param seen the rows of the partition that earlier runs have finished
 * @param begin the position of the first record that was read; negative until then. Replaces a start position that only names
 *     where reading begins, such as the earliest, which no source can store
 * @param end the position at which the partition has ended, if it can be forgotten once it is done up to there; else {@link
 *     Long#MAX_VALUE}, also after it was opened again
 * @param openings how many partitions have been opened, including those that a task has not opened yet
 * @param frontier the position up to which its records have been handled, and the time there
 * @param fingerprints what the source read of the partition up to a position
 */
record Partition(
        String name,
        Share share,
        ProcessedRanges seen,
        AtomicLong begin,
        AtomicLong end,
        AtomicLong openings,
        Frontier frontier,
        LongFunction<String> fingerprints) {

    public Partition(
            String name,
            Share share,
            long position,
            ProcessedRanges seen,
            AtomicLong openings,
            LongFunction<String> fingerprints) {
        this(
                name,
                share,
                seen,
                new AtomicLong(-1),
                new AtomicLong(Long.MAX_VALUE),
                openings,
                new Frontier(position),
                fingerprints);
    }

    /** Returns the position to commit for a position that tasks report as done; below 0 if the source cannot store one yet. */
    public long toCommit(long position) {
        return position < 0 ? Math.max(position, begin.get()) : position;
    }

    /** Returns whether the partition can be forgotten once it is done up to a position. */
    public boolean isOver(long done) {
        return done >= end.get();
    }

    /** Compares identities, which is fast and equal to comparing all components: no two partitions share a frontier. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /**
     * Partitions that are opened and revoked together. A share is aggregated on its own if no key occurs in several shares.
     *
     * @param opening how often a share had been opened, including this one
     * @param ownership the right to the share, from the source; may be null
     */
    public record Share(String name, long opening, RecordSource.Ownership ownership) {}

    /**
     * The position up to which tasks have handled all records of a partition without a gap, and the latest time of a row before it. This
     * is the time of the partition. If several tasks share its records, no task knows this time alone: a task without a record does not
     * know how far the others are. Any thread.
     */
    static final class Frontier {

        private record Piece(long to, long latest) {}

        // Guarded by this.
        private final Map<Long, Piece> ahead = new HashMap<>();
        private long sent;
        private long position;
        private long latest = Long.MIN_VALUE;

        Frontier(long begin) {
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
}
