package io.updraft.pipeline.run;

import java.time.Duration;

/**
 * What time a row has, and how long to wait for others.
 *
 * @param kind where the time is from
 * @param field the field of the row that holds it, for {@link Kind#EVENT}; else null
 * @param disorder how much earlier than the latest seen a row may be without being late
 * @param ahead how far ahead of the clock a time may lie; a row beyond that is bad, for one of them would close every window
 */
public record TimePolicy(Kind kind, String field, Duration disorder, Duration ahead) {

    /** Where a row's time is from. */
    public enum Kind {
        /** A field of the row. */
        EVENT,
        /** The source's own time of the record: the broker's or the producer's. */
        SOURCE,
        /** The clock, when the row is aggregated. */
        PROCESSING,
        /** There is none: all rows belong to one window, which ends with the input. */
        NONE
    }

    /** Whether a record has the same time whenever it is read; if not, windows that a run has closed say nothing to the next one. */
    boolean isOfRecords() {
        return kind == Kind.EVENT || kind == Kind.SOURCE;
    }

    /** All rows in one window, which ends with the input. */
    public static TimePolicy none() {
        return new TimePolicy(Kind.NONE, null, Duration.ZERO, Duration.ZERO);
    }
}
