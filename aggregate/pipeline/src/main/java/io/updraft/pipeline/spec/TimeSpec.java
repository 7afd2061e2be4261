package io.updraft.pipeline.spec;

import java.time.Duration;
import java.util.Objects;

/** The source of the time of a row. */
public sealed interface TimeSpec {

    /** Any disorder: no record is late, and windows end with the input. */
    Duration ANY_DISORDER = Duration.ofDays(365_000);

    /** How far ahead of the clock a time may lie unless the description says otherwise. */
    Duration DEFAULT_AHEAD = Duration.ofDays(1);

    /**
     * The time is in a field of the row.
     *
     * @param field a field of type TIME
     * @param disorder how far out of order records may arrive without being late
     * @param idle how long a unit may be without records before it no longer holds windows open; zero for no limit
     * @param ahead how far ahead of the clock a time may lie; a record beyond this is a dead letter
     */
    record Event(String field, Duration disorder, Duration idle, Duration ahead) implements TimeSpec {
        /** Checks that no value is null. */
        public Event {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(disorder, "disorder");
            Objects.requireNonNull(idle, "idle");
            Objects.requireNonNull(ahead, "ahead");
        }
    }

    /**
     * The time comes with the record from the source, as in Kafka.
     *
     * @param disorder how far out of order records may arrive without being late
     * @param idle how long a unit may be without records before it no longer holds windows open; zero for no limit
     * @param ahead how far ahead of the clock a time may lie; a record beyond this is a dead letter
     */
    record Source(Duration disorder, Duration idle, Duration ahead) implements TimeSpec {
        /** Checks that no value is null. */
        public Source {
            Objects.requireNonNull(disorder, "disorder");
            Objects.requireNonNull(idle, "idle");
            Objects.requireNonNull(ahead, "ahead");
        }
    }

    /** The time is that of the clock when the record is processed. */
    record Processing() implements TimeSpec {}

    /** Rows have no time: there is one window, over all time, which ends with the input. */
    record None() implements TimeSpec {}
}
