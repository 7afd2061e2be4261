package io.updraft.observe.pipeline;

import java.time.Instant;

/**
 * A row or record that is in no result, as an example. Its texts have no control characters.
 *
 * @param kind why it is in no result
 * @param timeMillis when it was rejected, milliseconds since 1970
 * @param partition the file, or the partition of a topic, it was read from
 * @param position its position there: the offset in a topic, the byte of a file; negative for a group, which consists of many
 *     records
 * @param lineNumber the line of a file that it begins in, from 1; 0 if it is unknown
 * @param reason the reason for people
 * @param record the beginning of the record, or of the late row or the group as JSON
 */
public record RejectedSample(
        Kind kind, long timeMillis, String partition, long position, long lineNumber, String reason, String record) {

    /** Why a row or record is in no result. */
    public enum Kind {
        /** The record gave no row, its time is not valid, or no cluster accepts it. */
        REJECTED,
        /** The windows of the row were closed. */
        LATE,
        /** A measure of the group does not fit into its column. */
        OVERFLOW
    }

    /** {@return where the record was read, such as {@code orders-1 at 17} or {@code /data/a.csv line 3 (byte 34)}} */
    public String place() {
        if (position < 0) {
            return partition;
        }
        return lineNumber > 0
                ? partition + " line " + lineNumber + " (byte " + position + ")"
                : partition + " at " + position;
    }

    /**
     * {@return the same sample with its line}
     *
     * @param number the number of the line, from 1; 0 if it is unknown
     */
    public RejectedSample onLine(long number) {
        return new RejectedSample(kind, timeMillis, partition, position, number, reason, record);
    }

    /** {@return the sample as a line for a terminal} */
    public String line() {
        String noun = switch (kind) {
            case REJECTED -> "rejected record";
            case LATE -> "late row";
            case OVERFLOW -> "overflowed group";
        };
        return Instant.ofEpochMilli(timeMillis) + " " + noun + ", " + place() + ": " + reason + ": " + record;
    }
}
