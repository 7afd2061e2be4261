package io.updraft.kafka.units;

import java.util.Comparator;

/**
 * The metadata of a committed offset: the application's, after a stamp that orders the commits of a unit. A unit may have
 * several partitions, of which one commit names only some; the metadata that counts is that of the latest commit.
 *
 * @param epoch of the ownership that committed
 * @param number counts the commits of one process
 * @param metadata the application's
 */
record CommitStamp(long epoch, long number, String metadata) {

    static final Comparator<CommitStamp> ORDER =
            Comparator.comparingLong(CommitStamp::epoch).thenComparingLong(CommitStamp::number);

    static final CommitStamp NONE = new CommitStamp(-1, -1, "");

    String written() {
        return epoch + "." + number + ";" + metadata;
    }

    /** What another tool wrote, or a reset of offsets, carries no stamp and no metadata of ours. */
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
