package io.updraft.kafka.units;

import java.util.List;

/**
 * A unit that this process owns from now on.
 *
 * @param ownership the right to it, to be named in each commit
 * @param partitions the partitions that it is made of
 * @param progress what the last commit of any owner says
 */
public record AssignedUnit(Ownership ownership, List<UnitPartition> partitions, Progress progress) {

    /** Copies the partitions. */
    public AssignedUnit {
        partitions = List.copyOf(partitions);
    }

    /**
     * The unit.
     *
     * @return the unit that is owned
     */
    public WorkUnit unit() {
        return ownership.unit();
    }
}
