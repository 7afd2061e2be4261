package io.updraft.pipeline.spec;

import java.time.Duration;
import java.util.Objects;

/** Which time a row has. */
public sealed interface TimeSpec {

    /** Any disorder: no record is late, and windows end with the input. */
    Duration ANY_DISORDER = Duration.ofDays(365_000);

    /** How far ahead of the clock a time may lie unless the description says otherwise. */
    Duration DEFAULT_AHEAD = Duration.ofDays(1);

    /**
     * What a field of the row says.
     *
     * @param field of type TIME
     * @param disorder by how much a record may be older than one before it without being late
     * @param idle after how long without a record a unit holds no window open; zero for never
     * @param ahead how far ahead of the clock a time may lie; a record beyond that is a dead letter
     */
    record Event(String field, Duration disorder, Duration idle, Duration ahead) implements TimeSpec {
        /** A field's time. */
        public Event {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(disorder, "disorder");
            Objects.requireNonNull(idle, "idle");
            Objects.requireNonNull(ahead, "ahead");
        }
    }

    /**
     * What the source says of the record, as Kafka does.
     *
     * @param disorder by how much a record may be older than one before it without being late
     * @param idle after how long without a record a unit holds no window open; zero for never
     * @param ahead how far ahead of the clock a time may lie; a record beyond that is a dead letter
     */
    record Source(Duration disorder, Duration idle, Duration ahead) implements TimeSpec {
        /** The source's time. */
        public Source {
            Objects.requireNonNull(disorder, "disorder");
            Objects.requireNonNull(idle, "idle");
            Objects.requireNonNull(ahead, "ahead");
        }
    }

    /** The clock's when the record is handled. */
    record Processing() implements TimeSpec {}

    /** None: there is one window, of all time, and it ends with the input. */
    record None() implements TimeSpec {}
}
