package io.updraft.kafka.spout;

import java.util.concurrent.TimeUnit;

/**
 * An offset that has been pending too long.
 *
 * @param partition the partition's name
 * @param offset the offset
 * @param ageNanos time since its first emission, nanoseconds, to about a tenth of a second
 * @param attempts the number of failed attempts
 * @param lastSeen the place where the offset was last seen; null if unknown
 */
record OverdueOffset(String partition, long offset, long ageNanos, int attempts, String lastSeen) {

    public String message() {
        return "offset " + offset + " of " + partition + " has not left the topology for "
                + TimeUnit.NANOSECONDS.toSeconds(ageNanos) + " s, after " + attempts + " failures"
                + (lastSeen == null ? "" : ", last seen in " + lastSeen);
    }

    public OverdueOffset seenIn(String place) {
        return new OverdueOffset(partition, offset, ageNanos, attempts, place);
    }
}
