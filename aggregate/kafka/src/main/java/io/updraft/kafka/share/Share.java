package io.updraft.kafka.share;

/**
 * What one process owns of several: one partition index. Share 7 is partition 7 of every topic in every cluster that is
 * read. Where producers spread keys over all topics in the same way, all records of a key are in one share.
 *
 * @param index the partition index, from 0
 */
public record Share(int index) implements Comparable<Share> {

    /** Checks the index. */
    public Share {
        if (index < 0) {
            throw new IllegalArgumentException("The index of a share must not be negative: " + index + ".");
        }
    }

    @Override
    public int compareTo(Share other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return "share " + index;
    }
}
