package io.updraft.kafka.units;

/**
 * What processes share: one partition index. Unit 7 is partition 7 of every topic in every cluster that is read; where
 * producers spread keys in the same way over each of them, all records of one key are in one unit.
 *
 * @param index the partition index, from 0
 */
public record WorkUnit(int index) implements Comparable<WorkUnit> {

    /** Checks the index. */
    public WorkUnit {
        if (index < 0) {
            throw new IllegalArgumentException("A work unit is a partition index from 0, not " + index + ".");
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
