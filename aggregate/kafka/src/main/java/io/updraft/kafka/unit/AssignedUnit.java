package io.updraft.kafka.unit;

import java.util.List;

/**
 * A unit that this process owns from now on.
 *
 * @param ownership the ownership to name in each commit
 * @param partitions the partitions of the unit
 * @param progress the progress of the last commit by any owner
 * @param reason why this process owns it now, as far as that is known, in one line
 */
public record AssignedUnit(
        UnitOwnership ownership, List<UnitPartition> partitions, UnitProgress progress, String reason) {

    /** Copies the partitions. */
    public AssignedUnit {
        partitions = List.copyOf(partitions);
    }

    /** Returns the unit. */
    public WorkUnit unit() {
        return ownership.unit();
    }
}
