package io.updraft.cluster.link;

/**
 * How many things may wait, when what they may weigh together is given: from the mean weight of those seen last. Used by one
 * thread at a time.
 *
 * <p>What waits between two workers must be bounded in bytes, not in tuples: 32,000 tuples of ten bytes are less than what fits
 * into a processor's cache, 32,000 of ten kilobytes are a third of a gigabyte, and take as long as that to arrive.
 */
final class Room {
    /** The newest weighs one part in as many. */
    private static final double MEMORY = 8;

    private final long bytes;
    private double mean;

    /**
     * Creates a room in which nothing has been seen.
     *
     * @param bytes what may wait, together
     */
    Room(long bytes) {
        this.bytes = bytes;
    }

    /**
     * Notes what has come.
     *
     * @param weight bytes of all together
     * @param things how many they are, at least 1
     * @return how many may wait, at least 1
     */
    int after(int weight, int things) {
        double each = (double) weight / things;
        mean = mean == 0 ? each : mean + (each - mean) / MEMORY;
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / mean));
    }
}
