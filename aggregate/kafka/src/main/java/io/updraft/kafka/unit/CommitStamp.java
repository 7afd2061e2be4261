package io.updraft.kafka.unit;

import java.util.Comparator;

/**
 * The metadata of a committed offset: a stamp that orders the commits of a unit, followed by the application's metadata. A unit
 * may have several partitions, and one commit may name only some of them. The metadata of the latest commit counts.
 *
 * @param epoch the epoch of the ownership that committed
 * @param number counts the commits of one process
 * @param metadata the application's metadata
 */
record CommitStamp(long epoch, long number, String metadata) {

    static final Comparator<CommitStamp> ORDER =
            Comparator.comparingLong(CommitStamp::epoch).thenComparingLong(CommitStamp::number);

    static final CommitStamp NONE = new CommitStamp(-1, -1, "");

    String written() {
        return epoch + "." + number + ";" + metadata;
    }

    /** Parses a stamp. Offsets written by another tool or by a reset have no stamp and no application metadata. */
    static CommitStamp read(String written) {
        int dot = written.indexOf('.');
        int end = written.indexOf(';');
        if (dot < 1 || end < dot) {
            return NONE;
        }
        try {
            return new CommitStamp(
                    Long.parseLong(written.substring(0, dot)),
                    Long.parseLong(written.substring(dot + 1, end)),
                    written.substring(end + 1));
        } catch (NumberFormatException e) {
            return NONE;
        }
    }
}
