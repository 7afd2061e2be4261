package io.updraft.kafka.unit;

/**
 * The unit of work that processes share: one partition index. Unit 7 is partition 7 of every topic in every cluster that is
 * read. Where producers spread keys over all topics in the same way, all records of a key are in one unit.
 *
 * @param index the partition index, from 0
 */
public record WorkUnit(int index) implements Comparable<WorkUnit> {

    /** Checks the index. */
    public WorkUnit {
        if (index < 0) {
            throw new IllegalArgumentException("The index of a work unit must not be negative: " + index + ".");
        }
    }

    @Override
    public int compareTo(WorkUnit other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return "unit " + index;
    }
}
