package io.updraft.pipeline.connector;

import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.timeseries.record.RecordChunk;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * A source of records. It is divided into units, each with its own order and positions: a file, a partition of a topic, a
 * connection. One thread uses a source. A source may have its own threads, but no method blocks the calling thread for more
 * than some milliseconds.
 */
public interface RecordSource extends AutoCloseable {

    /** The right to a group of units. */
    interface Claim {

        /**
         * Releases the group: it was revoked, or the run has ended. This process no longer works on the group and writes
         * nothing more of it. Called once, on the thread that writes; not called if the run ends during a write.
         */
        void released();
    }

    /** An event of a source. */
    sealed interface Event {

        /** Returns the unit of the event. */
        String unit();

        /**
         * The source starts to read a unit.
         *
         * @param group the group of the unit. The units of a group are opened together, before any record of them, and revoked
         *     together. If rows of a key come from one group only, its units are aggregated together and separately from all others
         * @param position the first position to read
         * @param closedUntil windows that end at or before this (milliseconds since 1970) were written by an earlier run, and
         *     accept no more records; {@link Long#MIN_VALUE} if there are none
         * @param seen the rows that are read again but are already in a result, or were late
         * @param claim the right to the group, which a commit of its positions needs; null if none is needed. A group that is
         *     opened again after it was revoked has a new claim
         * @param reason why this process reads the unit, in one line; null for a unit that no other process could read
         */
        record Opened(
                String unit,
                String group,
                long position,
                long closedUntil,
                ProcessedRanges seen,
                Claim claim,
                String reason)
                implements Event {

            /** Opens a unit at its start. The unit is alone in its group, and no other process can own it. */
            public Opened(String unit) {
                this(new UnitPosition(unit, 0, Long.MIN_VALUE));
            }

            /** Opens a unit where an earlier run stopped. The unit is alone in its group, and no other process can own it. */
            public Opened(UnitPosition last) {
                this(last.unit(), last.unit(), last.position(), last.closedUntil(), last.processed(), null, null);
            }
        }

        /** Records of a unit. */
        record Records(RecordChunk chunk) implements Event {
            @Override
            public String unit() {
                return chunk.unit();
            }
        }

        /**
         * A record that cannot be handed over since it exceeds the size limit.
         *
         * @param reason what is wrong with the record, in one line
         */
        record Bad(String unit, long position, long to, byte[] head, String reason) implements Event {}

        /**
         * The unit is idle: for a while no record has come, and all existing ones were read. The unit holds no window open
         * until its next record. The event implies nothing about the time of later records.
         */
        record Idle(String unit) implements Event {}

        /** The unit has ended: no record of it will follow. */
        record Ended(String unit) implements Event {}

        /**
         * The unit was revoked: another process continues it. What was read and not written must be forgotten.
         *
         * @param reason why, in one line
         */
        record Revoked(String unit, String reason) implements Event {}

        /**
         * The unit is read at another place, or not at all for a while. Only the history of the run needs it: what this means
         * for records follows from other events.
         *
         * @param from where the unit was read
         * @param to where it is read now
         * @param reason why, in one line
         */
        record Relocated(String unit, String from, String to, String reason) implements Event {}
    }

    /**
     * Returns the events since the last call; empty if there are none. The caller applies back-pressure by not calling.
     *
     * @throws SourceException when the source cannot go on; the message is one line that names the cause and the place
     */
    List<Event> poll() throws SourceException;

    /**
     * Commits a position of a unit: all records before it are written for good. A source that stores positions passes them to
     * the next run in {@link Event.Opened}. Nothing to do for a source that cannot be read again or always starts over.
     */
    default void commit(UnitPosition commit) {}

    /**
     * Reports that a chunk of the source was written for good, independently of earlier chunks. The call comes before the
     * commit that covers the chunk. Only runs that write each chunk separately make it.
     *
     * @param unit the unit of the chunk
     * @param from the position of its first record
     */
    default void written(String unit, long from) {}

    /**
     * Returns the fingerprints of a unit that was opened, by position ({@link UnitPosition#fingerprint}). Any thread may call
     * the function.
     */
    default LongFunction<String> fingerprints(String unit) {
        return position -> "";
    }

    /**
     * Returns the number of the line that has a position, from 1; empty if the unit has no lines, or the number is not known. Called
     * when an operator looks, on any thread: it may read the unit for some tenths of a second.
     */
    default OptionalLong lineAt(String unit, long position) {
        return OptionalLong.empty();
    }

    /**
     * Reports that a record can never be written. The call comes before {@link #written} for its chunk.
     *
     * @param from the position of the first record of its chunk
     * @param position the position of the record
     * @param reason one line with the beginning of the record and why it was refused
     */
    default void refused(String unit, long from, long position, String reason) {}

    /** Returns whether the source has ended; always false for a source without an end. */
    default boolean ended() {
        return false;
    }

    /** Returns whether a later run can read uncommitted records again. If not, a stopped run writes its open windows. */
    default boolean canBeReadAgain() {
        return true;
    }

    /**
     * Returns whether a unit that has ended and is committed can be forgotten: a source without an end may have any number of
     * units. Only for a source whose units are never revoked.
     */
    default boolean forgetsUnits() {
        return false;
    }

    /** Returns how much was read and is left to read, for the progress bar. */
    SourceProgress progress();

    /**
     * Returns how many records are left to read of each unit, -1 if unknown; for a source whose units processes can share.
     * Other sources return nothing.
     */
    default Map<String, Long> lags() {
        return Map.of();
    }

    /** Completes the requested commits and releases all resources. */
    @Override
    void close();
}
