package io.updraft.pipeline.run;

import java.time.Duration;

/**
 * The time of a row, and how long to wait for other rows.
 *
 * @param kind the source of the time
 * @param field the field of the row with the time, for {@link Kind#EVENT}; else null
 * @param disorder how far out of order rows may arrive without being late
 * @param ahead how far ahead of the clock a time may lie; a row beyond this is bad, since one such row would close every window
 */
public record TimePolicy(Kind kind, String field, Duration disorder, Duration ahead) {

    /** The source of the time of a row. */
    public enum Kind {
        /** A field of the row. */
        EVENT,
        /** The source's own time of the record: the broker's or the producer's. */
        SOURCE,
        /** The time of the clock when the row is aggregated. */
        PROCESSING,
        /** No time: all rows belong to one window, which ends with the input. */
        NONE
    }

    /**
     * Returns whether a record has the same time whenever it is read. If not, the closed windows of one run mean nothing to the
     * next.
     */
    boolean isOfRecords() {
        return kind == Kind.EVENT || kind == Kind.SOURCE;
    }

    /** Returns the policy of one window for all rows, which ends with the input. */
    public static TimePolicy none() {
        return new TimePolicy(Kind.NONE, null, Duration.ZERO, Duration.ZERO);
    }
}
