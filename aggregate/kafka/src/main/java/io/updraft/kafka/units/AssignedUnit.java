package io.updraft.kafka.units;

import java.util.List;

/**
 * A unit that this process owns from now on.
 *
 * @param ownership the ownership to name in each commit
 * @param partitions the partitions of the unit
 * @param progress the progress of the last commit by any owner
 */
public record AssignedUnit(Ownership ownership, List<UnitPartition> partitions, Progress progress) {

    /** Copies the partitions. */
    public AssignedUnit {
        partitions = List.copyOf(partitions);
    }

    /** Returns the unit. */
    public WorkUnit unit() {
        return ownership.unit();
    }
}
