package io.updraft.kafka.offset;

import java.util.concurrent.TimeUnit;

/**
 * An offset that has not left the topology in time.
 *
 * @param partition where it is from, as the tracker was told
 * @param offset which
 * @param ageNanos how long ago it was emitted first, nanoseconds, to about a tenth of a second
 * @param attempts how often it has failed
 * @param lastSeen where it was seen last, as the tracker was told; null if nobody has told
 */
public record Overdue(String partition, long offset, long ageNanos, int attempts, String lastSeen) {

    /** {@return one line for people} */
    public String message() {
        return "offset " + offset + " of " + partition + " has not left the topology for "
                + TimeUnit.NANOSECONDS.toSeconds(ageNanos) + " s, after " + attempts + " failures"
                + (lastSeen == null ? "" : ", last seen in " + lastSeen);
    }

    /**
     * The same with more knowledge of where it is.
     *
     * @param place where it was seen last
     * @return another
     */
    public Overdue seenIn(String place) {
        return new Overdue(partition, offset, ageNanos, attempts, place);
    }
}
