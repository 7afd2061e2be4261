package io.updraft.pipeline.connector;

import io.updraft.base.record.SourceEvent;
import io.updraft.observe.pipeline.SourceProgress;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * A source of records. It is divided into partitions, each with its own order and positions: a file, a partition of a topic, a
 * connection. One thread uses a source. A source may have its own threads, but no method blocks the calling thread for more
 * than some milliseconds.
 */
public interface RecordSource extends AutoCloseable {

    /** The right of this process to a share: what it owns of several. */
    interface Ownership {

        /**
         * Releases the share: it was revoked, or the run has ended. This process no longer works on the share and writes
         * nothing more of it. Called once, on the thread that writes; not called if the run ends during a write.
         */
        void released();
    }

    /** A change of a partition's state, in order with the chunks of the partition. */
    sealed interface Event extends SourceEvent {

        /**
         * The source starts to read a partition.
         *
         * @param share the share of the partition. The partitions of a share are opened together, before any record of them, and revoked
         *     together. If rows of a key come from one share only, its partitions are aggregated together and separately from all others
         * @param position the first position to read
         * @param closedUntil windows that end at or before this (milliseconds since 1970) were written by an earlier run, and
         *     accept no more records; {@link Long#MIN_VALUE} if there are none
         * @param seen the rows that are read again but are already in a result, or were late
         * @param ownership the right to the share, which a commit of its positions needs; null if none is needed. A share that is
         *     opened again after it was revoked has a new ownership
         * @param reason why this process reads the partition, in one line; null for a partition that no other process could read
         */
        record Opened(
                String partition,
                String share,
                long position,
                long closedUntil,
                ProcessedRanges seen,
                Ownership ownership,
                String reason)
                implements Event {

            /** Opens a partition at its start. The partition is alone in its share, and no other process can own it. */
            public Opened(String partition) {
                this(new PartitionPosition(partition, 0, Long.MIN_VALUE));
            }

            /** Opens a partition where an earlier run stopped. The partition is alone in its share, and no other process can own it. */
            public Opened(PartitionPosition last) {
                this(
                        last.partition(),
                        last.partition(),
                        last.position(),
                        last.closedUntil(),
                        last.processed(),
                        null,
                        null);
            }
        }

        /**
         * A record that cannot be handed over since it exceeds the size limit.
         *
         * @param reason what is wrong with the record, in one line
         */
        record Rejected(String partition, long position, long to, byte[] head, String reason) implements Event {}

        /**
         * The partition is idle: for a while no record has come, and all existing ones were read. The partition holds no window open
         * until its next record. The event implies nothing about the time of later records.
         */
        record Idle(String partition) implements Event {}

        /** The partition has ended: no record of it will follow. */
        record Ended(String partition) implements Event {}

        /**
         * The partition was revoked: another process continues it. What was read and not written must be forgotten.
         *
         * @param reason why, in one line
         */
        record Revoked(String partition, String reason) implements Event {}

        /**
         * The partition is read at another place, or not at all for a while. Only the history of the run needs it: what this means
         * for records follows from other events.
         *
         * @param from where the partition was read
         * @param to where it is read now
         * @param reason why, in one line
         */
        record Relocated(String partition, String from, String to, String reason) implements Event {}
    }

    /**
     * Returns the chunks and events since the last call; empty if there are none. The caller applies back-pressure by not calling.
     *
     * @throws SourceException when the source cannot go on; the message is one line that names the cause and the place
     */
    List<SourceEvent> poll() throws SourceException;

    /**
     * Commits a position of a partition: all records before it are written for good. A source that stores positions passes them to
     * the next run in {@link Event.Opened}. Nothing to do for a source that cannot be read again or always starts over.
     */
    default void commit(PartitionPosition commit) {}

    /**
     * Reports that a chunk of the source was written for good, independently of earlier chunks. The call comes before the
     * commit that covers the chunk. Only runs that write each chunk separately make it.
     *
     * @param partition the partition of the chunk
     * @param from the position of its first record
     */
    default void written(String partition, long from) {}

    /**
     * Returns the fingerprints of a partition that was opened, by position ({@link PartitionPosition#fingerprint}). Any thread may call
     * the function.
     */
    default LongFunction<String> fingerprints(String partition) {
        return position -> "";
    }

    /**
     * Returns the number of the line that has a position, from 1; empty if the partition has no lines, or the number is not known. Called
     * when an operator looks, on any thread: it may read the partition for some tenths of a second.
     */
    default OptionalLong lineAt(String partition, long position) {
        return OptionalLong.empty();
    }

    /**
     * Reports that a record can never be written. The call comes before {@link #written} for its chunk.
     *
     * @param from the position of the first record of its chunk
     * @param position the position of the record
     * @param reason one line with the beginning of the record and why it was refused
     */
    default void refused(String partition, long from, long position, String reason) {}

    /** Returns whether the source has ended; always false for a source without an end. */
    default boolean ended() {
        return false;
    }

    /** Returns whether a later run can read uncommitted records again. If not, a stopped run writes its open windows. */
    default boolean canBeReadAgain() {
        return true;
    }

    /**
     * Returns whether a partition that has ended and is committed can be forgotten: a source without an end may have any number of
     * partitions. Only for a source whose partitions are never revoked.
     */
    default boolean forgetsPartitions() {
        return false;
    }

    /** Returns how much was read and is left to read, for the progress bar. */
    SourceProgress progress();

    /**
     * Returns how many records are left to read of each partition, -1 if unknown; for a source whose partitions processes can share.
     * Other sources return nothing.
     */
    default Map<String, Long> lags() {
        return Map.of();
    }

    /** Completes the requested commits and releases all resources. */
    @Override
    void close();
}
