package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
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
        PartitionFrontier frontier,
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
                new PartitionFrontier(position),
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
}
