package io.updraft.pipeline.spec;

import java.time.Duration;

/**
 * The time of a row, and how long to wait for other rows.
 *
 * @param field the field of type TIME, for {@link Origin#EVENT}; else null
 * @param disorder how far out of order records may arrive without being late
 * @param idle how long a unit may be without records before it no longer holds windows open; zero for no limit
 * @param ahead how far ahead of the clock a time may lie; a record beyond this is a dead letter, since one such record would
 *     close every window
 */
public record TimeSpec(Origin origin, String field, Duration disorder, Duration idle, Duration ahead) {

    /** Where the time of a row comes from. The names are part of the fingerprint that is stored with positions. */
    public enum Origin {
        /** A field of the row. */
        EVENT,
        /** The source's own time of the record, as in Kafka: the broker's or the producer's. */
        SOURCE,
        /** The clock when the row is aggregated. */
        PROCESSING,
        /** Rows have no time: there is one window, over all time, which ends with the input. */
        NONE
    }

    /** Any disorder: no record is late, and windows end with the input. */
    public static final Duration ANY_DISORDER = Duration.ofDays(365_000);

    /** The time of the clock. */
    public static final TimeSpec PROCESSING =
            new TimeSpec(Origin.PROCESSING, null, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** No time. */
    public static final TimeSpec NONE = new TimeSpec(Origin.NONE, null, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** Returns whether a record always has the same time. If not, a run's closed windows mean nothing to the next. */
    public boolean isOfRecords() {
        return origin == Origin.EVENT || origin == Origin.SOURCE;
    }
}
