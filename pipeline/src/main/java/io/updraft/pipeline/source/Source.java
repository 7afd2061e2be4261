package io.updraft.pipeline.source;

import io.updraft.timeseries.record.Chunk;
import java.util.List;

/**
 * Where records come from. It is divided into units, each with its own order and positions: a file, a partition of a topic, a
 * connection. One thread uses a source; whatever threads it has of its own, nothing of it blocks that one for more than some
 * milliseconds.
 */
public interface Source extends AutoCloseable {

    /** The right to a group of units. */
    interface Claim {

        /**
         * After the group was revoked, or at the end of the run: nothing of it is worked on here any more, and nothing of it will be
         * written. Called once, on the thread that writes; not called if the run ends while something is being written.
         */
        void released();
    }

    /** What has happened since the last call, in order. */
    sealed interface Event {

        /** The unit that it happened to. */
        String unit();

        /**
         * The unit is read from now on.
         *
         * @param unit which
         * @param group the units of one group are opened together, before any record of theirs, and revoked together. If rows of a key
         *     come from one group only, its units are aggregated together and apart from all others
         * @param position the first to be read
         * @param closedUntil windows that end at or before this (milliseconds since 1970) were written by an earlier run, and take no
         *     more records; {@link Long#MIN_VALUE} if there are none
         * @param seen which rows that are read again belong to results that exist already, or were late then
         * @param claim the right to the group, to be shown when its positions are committed; null if none is needed. A group that is opened
         *     again after it was revoked has another
         */
        record Opened(String unit, String group, long position, long closedUntil, Seen seen, Claim claim)
                implements Event {

            /** Opens a unit that is alone in its group, and that nobody else can have, from its start. */
            public Opened(String unit) {
                this(new Commit(unit, 0, Long.MIN_VALUE));
            }

            /** Opens a unit that is alone in its group, and that nobody else can have, from where an earlier run was done. */
            public Opened(Commit last) {
                this(last.unit(), last.unit(), last.position(), last.closedUntil(), last.seen(), null);
            }
        }

        /**
         * Records.
         *
         * @param chunk them
         */
        record Records(Chunk chunk) implements Event {
            @Override
            public String unit() {
                return chunk.unit();
            }
        }

        /**
         * A record that cannot be handed over since it is longer than records may be.
         *
         * @param unit which
         * @param position of the record
         * @param to the position after it
         * @param head its first bytes
         * @param reason what is wrong with it, in one line
         */
        record Bad(String unit, long position, long to, byte[] head, String reason) implements Event {}

        /**
         * For a while no record has come, although all there are have been read: the unit holds no window open until its next record.
         * That says nothing of the time of records to come.
         *
         * @param unit which
         */
        record Idle(String unit) implements Event {}

        /**
         * The unit has come to its end: no record of it will follow.
         *
         * @param unit which
         */
        record Ended(String unit) implements Event {}

        /**
         * The unit was taken away; another process reads it from its last committed position. What was read of it and not written
         * must be forgotten.
         *
         * @param unit which
         */
        record Revoked(String unit) implements Event {}
    }

    /**
     * What has happened since the last call; empty if nothing. Not calling it is how the source is held back.
     *
     * @throws SourceException when the source cannot go on; one line that says what and where
     */
    List<Event> poll() throws SourceException;

    /**
     * A unit is done so far: what is before the position has been written for good. A source that can remember this tells it to the next
     * run by {@link Event.Opened}.
     */
    void commit(Commit commit);

    /**
     * A chunk that the source gave has been written for good, whatever became of those before it. Told before positions are committed
     * that it is a part of, and only by runs that write each chunk on its own.
     *
     * @param unit of the chunk
     * @param from the position of its first record
     */
    default void written(String unit, long from) {}

    /** Whether the source has come to its end; false for one that has none. */
    boolean ended();

    /**
     * Whether what was read and not committed can be read again by a later run. If not, a run that is stopped writes the windows that are
     * open.
     */
    default boolean canBeReadAgain() {
        return true;
    }

    /**
     * Whether a unit that has ended is done with for good when all of it is committed, so that nobody need remember it: a source without
     * an end may have any number of them. Only of a source whose units are not taken away.
     */
    default boolean forgetsUnits() {
        return false;
    }

    /** How much there is to read and has been read, for the progress bar. */
    Progress progress();

    /**
     * How far a source has come.
     *
     * @param done bytes or records that were read
     * @param total of how many; -1 if nobody knows, as for a source without an end
     * @param lag records or bytes behind the newest; -1 if nobody knows
     * @param unit {@code "bytes"} or {@code "records"}
     */
    record Progress(long done, long total, long lag, String unit) {}

    /** Commits what was said to be committed, and gives everything back. */
    @Override
    void close();
}
